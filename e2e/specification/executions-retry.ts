import type { Section } from "./section.ts";

export const executionsRetry: Section = {
  answer: [
    "202 with executionId, originalExecutionId, status and startedAt, for {} and no body",
    "executions-retry > a retry > with %j is a new execution from the same data",
  ],
  "any-status": ["From any status", "executions-retry > a retry > is possible from any status"],
  "current-version": [
    "Runs the flow's current version",
    "executions-retry > a retry > runs the flow's current version",
  ],
  input: [
    "With the original's data, headers and query",
    "executions-retry > a retry > keeps the headers and the query of a trigger call",
  ],
  "override-data": ["`overrideData` replaces the data", "executions-retry > a retry > overrideData replaces the data"],
  "from-node": [
    "`fromNode` keeps the outputs it depends on and runs it and what follows; null is none",
    "executions-retry > fromNode > keeps the outputs of what comes before, and runs it and what follows",
  ],
  "unknown-node": ["An unknown node is 400", "executions-retry > fromNode > 400 for %j, which is no node"],
  "missing-outputs": [
    "Missing outputs are 400",
    "executions-retry > fromNode > 400 when what it depends on left no output",
  ],
  "flow-gone": ["A flow that is gone is 404", "flows-delete > a deleted flow > leaves its executions readable"],
  refused: [
    "A wrong field is 400, a missing execution 404",
    "executions-retry > 400 and 404 > %s: %j",
    "executions-retry > 400 and 404 > 404 for %s",
  ],
};
