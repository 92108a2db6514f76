import type { Section } from "./section.ts";

export const executionStatus: Section = {
  pending: [
    "A run is pending until a worker has it, though execute says running",
    "sync-wait > a run that waits for its turn > is pending until a worker has it, though execute says running, and can be cancelled",
  ],
  "async-running": [
    "Started with async true or nothing said: 202 and running",
    "flows-execute > async, or nothing said > %j is answered with 202 at once and runs to its end",
  ],
  "sync-completed": [
    "Started with async false: 200 once it has ended",
    "flows-execute > async: false > is answered with 200, the output, and every node's result",
  ],
  cancelled: [
    "A running execution becomes cancelled, with cancelledAt and reason",
    "executions-cancel > a cancelled run > is answered with when and why, and the record says so",
  ],
  "cancelled-event": [
    "A cancellation emits its event",
    "execution-events > a run tells > its cancellation, by whatever way",
  ],
  "already-ended": [
    "Cancelling what has ended is 400 INVALID_STATUS with details.currentStatus",
    "executions-cancel > 400 INVALID_STATUS once the run has ended > %s",
    "executions-cancel > 400 INVALID_STATUS once the run has ended > cancelled, and the first reason stays",
  ],
  retried: [
    "A retry is a new running execution that names the original",
    "executions-retry > a retry > with %j is a new execution from the same data",
  ],
  failed: [
    "A failed node that nothing catches fails the run",
    "graph-semantics > failures > fail the run: nothing new starts, the rest is skipped",
  ],
  timeout: [
    "Past its time limit a run ends as timeout",
    "flows-execute > async: false > of a run that passes its time limit says so",
  ],
  final: [
    "The status of an ended run never changes again",
    "runs-cancelled-while-ending > of 200 races each has one winner and one event, both sides tell the same, and the status never changes",
  ],
  "timeout-waiting": [
    "Waiting does not count towards the time limit",
    "lib/runtime/suspended-runs.test.ts > a run of which nothing but a long wait is left > keeps what it has used of its time limit; the wait does not count",
    "lib/runtime/suspended-runs.test.ts > a short wait > does not count as work",
  ],
  "cancelled-waiting": [
    "A waiting run can be cancelled",
    "waits > delay > that is long has a synchronous caller answered at once with 202; the run can be cancelled",
  ],
};
