import type { Section } from "./section.ts";

export const flowsExport: Section = {
  document: [
    "The document has version `1.0.0`, exportedAt and the flow with trigger, nodes, edges and variables",
    "flow-copies > GET /flows/:id/export > 200: the document bare, as an attachment named after the flow, without the generated URL",
  ],
  "trigger-url": [
    "The trigger goes without its generated URL",
    "flow-copies > GET /flows/:id/export > 200: the document bare, as an attachment named after the flow, without the generated URL",
  ],
  attachment: [
    "It is sent as an attachment named after the flow",
    "flow-copies > GET /flows/:id/export > 200: the document bare, as an attachment named after the flow, without the generated URL",
  ],
  "include-variables": [
    "`includeVariables` is true by default; false leaves them out",
    "flow-copies > GET /flows/:id/export > 200: without variables, and with executions, when asked",
  ],
  "include-executions": [
    "`includeExecutions=true` adds executions as single reads",
    "flow-copies > GET /flows/:id/export > 200: without variables, and with executions, when asked",
  ],
  "executions-max": [
    "Of the executions the latest 100 are added",
    "lists-by-model > lists > of an export's executions are the latest 100, the newest first",
  ],
  refused: ["A wrong flag is 400, a missing flow 404", "flow-copies > GET /flows/:id/export > 400 and 404"],
};
