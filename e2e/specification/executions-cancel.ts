import type { Section } from "./section.ts";

export const executionsCancel: Section = {
  answer: [
    "200 with id, status, cancelledAt and reason",
    "executions-cancel > a cancelled run > is answered with when and why, and the record says so",
  ],
  reason: ["`reason` is optional", "executions-cancel > a cancelled run > needs no reason: %j"],
  stops: [
    "A cancelled run stops: its open request is aborted",
    "executions-cancel > a cancelled run > stops what it is doing: the open request is given up and nothing else starts",
  ],
  pending: [
    "A pending run can be cancelled",
    "sync-wait > a run that waits for its turn > is pending until a worker has it, though execute says running, and can be cancelled",
  ],
  ended: [
    "Any final status is 400 INVALID_STATUS",
    "executions-cancel > 400 INVALID_STATUS once the run has ended > %s",
  ],
  refused: [
    "A wrong reason is 400, a missing execution 404",
    "executions-cancel > 400 and 404 > reason %j",
    "executions-cancel > 400 and 404 > 404 for %s",
  ],
};
