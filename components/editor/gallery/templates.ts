import type { z } from "zod";
import type { newFlow } from "#lib/contract/flows/flows.ts";
import callWithASafetyNet from "../../../examples/templates/call-with-a-safety-net.json";
import checkAndAnswer from "../../../examples/templates/check-and-answer.json";
import cleanUpAList from "../../../examples/templates/clean-up-a-list.json";
import dailyReport from "../../../examples/templates/daily-report.json";
import routeByCountry from "../../../examples/templates/route-by-country.json";
import sideBySide from "../../../examples/templates/side-by-side.json";
import stopEarly from "../../../examples/templates/stop-early.json";
import waitAndGoOn from "../../../examples/templates/wait-and-go-on.json";

export type Template = z.input<typeof newFlow>;

/** Starter flows: each runs as it is, with the sample that it brings. */
export const templates = [
  checkAndAnswer,
  routeByCountry,
  callWithASafetyNet,
  sideBySide,
  cleanUpAList,
  waitAndGoOn,
  stopEarly,
  dailyReport,
] as readonly Template[];
