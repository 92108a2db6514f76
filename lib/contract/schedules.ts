import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { timestamp } from "./timestamp.ts";

export const previewSchedule = endpoint({
  method: "POST",
  path: "/schedules/preview",
  tag: "Flows",
  summary: "Tell when a schedule comes",
  description:
    "The next five times from now on. `cron` has five fields, or six of which the first are seconds; `timezone` is an IANA name, UTC when missing. What is no schedule is 400 with the field in `details`, by the rules that hold when a flow is activated.",
  scope: "flows:read",
  body: z.object({ cron: z.unknown().optional(), timezone: z.unknown().optional() }),
  bodyRequired: true,
  shape: "data",
  status: 200,
  answer: z.object({ times: z.array(timestamp) }),
});
