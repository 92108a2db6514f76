// A thread that converts and checks one value after the other, to spare the server's own.
import { parentPort } from "node:worker_threads";
import type { ValueCheck } from "./check-value.ts";
import { convertHere } from "./convert-here.ts";
import type { Conversion } from "./formats.ts";

parentPort?.on("message", async (task: Conversion | ValueCheck) => {
  if ("options" in task) parentPort?.postMessage(await convertHere(task));
  else parentPort?.postMessage((await import("./check-value.ts")).checkHere(task));
});
