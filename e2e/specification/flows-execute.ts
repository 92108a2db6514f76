import type { Section } from "./section.ts";

export const flowsExecute: Section = {
  data: [
    "`data` is the run's input, {} when missing",
    "flows-execute > what a run is given > data is $trigger.body, {} when there is none",
  ],
  async: [
    "`async` is true by default and answers at once",
    "flows-execute > async, or nothing said > is answered before the run ends",
  ],
  "async-answer": [
    "202 has executionId, status, startedAt and flowId",
    "flows-execute > async, or nothing said > %j is answered with 202 at once and runs to its end",
  ],
  "sync-answer": [
    "200 has status, times, duration, output and every node's result",
    "flows-execute > async: false > is answered with 200, the output, and every node's result",
  ],
  "sync-nodes": [
    "Every node is listed, its output null where it did not run or failed",
    "flows-execute > async: false > lists nodes in the flow's order, with output null where one did not run or failed",
  ],
  "sync-failed": [
    "A failed run is 200 with status failed and error",
    "flows-execute > async: false > of a run that fails is 200 all the same, and tells why",
  ],
  "sync-long": [
    "A run longer than SYNC_WAIT_MS is answered 202 and goes on",
    "sync-wait > a run that takes longer than the service waits for it > is answered with 202 as an async one is, and goes on",
  ],
  "no-nodes": [
    "A flow without nodes completes with output null",
    "flows-execute > async: false > of a flow without nodes completes with the output null",
  ],
  metadata: [
    "`metadata` is kept beside source, ip and userAgent, which it cannot overwrite",
    "flows-execute > what a run is given > the client's metadata is kept beside what the service knows, which it cannot overwrite",
  ],
  "any-status": [
    "A flow of any status can be run by the API",
    "flows-execute > what a run is given > a flow that is %s runs",
  ],
  invalid: ["A wrong field is 400, and nothing starts", "flows-execute > 400 and 404 > %s: %j, and nothing starts"],
  missing: ["An unknown flow is 404", "flows-execute > 400 and 404 > 404 for %s"],
};
