import type { Section } from "./section.ts";

const whole = "executions-read > a single execution > has every field of the single read, and nodes without outputs";

export const executionsRead: Section = {
  whole: ["A single read has flowVersion, nodes, output, metadata and warnings too", whole],
  trigger: ["`trigger` has type, data and timestamp", whole],
  metadata: [
    "`metadata` has source, ip and userAgent",
    "executions-read > a single execution > started by its trigger URL says so",
  ],
  "node-fields": ["A node has nodeId, nodeName, type, status, times and duration", whole],
  retries: [
    "`retries` is told of http-request nodes, 0 included",
    "executions-read > a single execution > tells how often an HTTP request was tried again, 0 included",
  ],
  "node-statuses": [
    "A node is pending, running, completed, failed, skipped or cancelled",
    "flows-execute > async: false > of a run that passes its time limit says so",
    "executions-read > a single execution > of a failed run has an error with message, node and code, as its node has",
  ],
  "without-outputs": [
    "Nodes have no output unless `includeNodeOutputs=true`",
    whole,
    "executions-read > a single execution > has the nodes' outputs with includeNodeOutputs=true",
  ],
  "include-logs": [
    "`logs` come with `includeLogs=true` only",
    "executions-read > a single execution > has its log with includeLogs=true, and no outputs",
  ],
  flags: ["Flags are true or false in full", "executions-read > 400 and 404 > %s must be true or false"],
  error: [
    "A failed execution has `error` with message, nodeId and code",
    "executions-read > a single execution > of a failed run has an error with message, node and code, as its node has",
  ],
  warnings: [
    "Warnings have nodeId, message and timestamp, and may have a code",
    "graph-semantics > if-else > further plain edges are false too, and the run carries a warning",
    "executions-logs > the log of an execution > warnings count among the run's warnings",
  ],
  cancelled: [
    "cancelledAt and reason are there after a cancellation",
    "executions-cancel > a cancelled run > is answered with when and why, and the record says so",
  ],
  original: [
    "originalExecutionId is there on a retry only",
    "executions-retry > a retry > with %j is a new execution from the same data",
  ],
  "flow-name": [
    "`flowName` is the name of that time",
    "executions-read > a single execution > keeps the flow's name of that time",
  ],
  missing: ["A missing execution is 404", "executions-read > 400 and 404 > 404 for %s"],
  source: [
    "`metadata.source` is api, webhook, schedule, ui or retry",
    "flows-execute > what a run is given > the client's metadata is kept beside what the service knows, which it cannot overwrite",
    "executions-read > a single execution > started by its trigger URL says so",
    "lib/runtime/fire-schedules.test.ts > a flow whose time has come > gets one run, with its time as the input, and a next time",
    "flows-execute > what a run is given > a run that a person starts has the source ui",
    "executions-retry > a retry > with %j is a new execution from the same data",
  ],
};
