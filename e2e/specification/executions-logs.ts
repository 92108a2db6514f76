import type { Section } from "./section.ts";

export const executionsLogs: Section = {
  entry: [
    "An entry has timestamp, level, nodeId, message and perhaps data",
    "executions-logs > the log of an execution > tells when, how serious, and which node",
  ],
  "execution-level": [
    "`nodeId` is null for entries of the execution",
    "executions-cancel > a cancelled run > is answered with when and why, and the record says so",
  ],
  levels: [
    "Levels are info, warning and error",
    "executions-logs > the log of an execution > has the failure of a node as an error",
    "executions-logs > the log of an execution > 400 for a level that is none",
  ],
  filters: ["`level` and `nodeId` filter", "executions-logs > the log of an execution > %s"],
  order: [
    "Entries come in the order in which they were written",
    "executions-logs > the log of an execution > has its entries in the order in which they were written",
  ],
  missing: ["A missing execution is 404", "executions-read > 400 and 404 > 404 for %s"],
};
