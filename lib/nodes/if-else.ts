import { z } from "zod";
import { conditionField } from "./config-fields.ts";
import { defineNode } from "./define.ts";

/** Leaves by `true` or `false`, by JavaScript's truthiness. Output: `{result, branch}`. */
export const ifElse = defineNode({
  type: "if-else",
  name: "If / else",
  keywords: ["condition", "filter", "decision"],
  family: "logic",
  icon: "arrows-split",
  iconPath: "M21 17h-8l-3.5 -5h-6.5M21 7h-8l-3.495 5M18 10l3 -3l-3 -3M18 20l3 -3l-3 -3",
  summary: ["when {condition}"],
  description: `Takes one of two branches. The condition is one JavaScript expression; the braces may be omitted, or
enclose parts of it.
Edges from the handle \`true\` are followed if it is true, those from \`false\` if it is not.

Example: \`{"condition": "$trigger.body.total > 100"}\` gives \`{"result": true, "branch": "true"}\` for a total of 120.`,
  effect: "none",
  decidesBy: "condition",
  ignoresInput: true,
  handles: { fixed: ["true", "false"], labels: { true: ["yes", "then"], false: ["no", "else"] } },
  config: z.object({
    condition: conditionField({ title: "Condition", description: "The condition, an expression." }),
  }),
  example: { condition: "$trigger.body.total > 100" },
  run: ({ condition }) => {
    const result = Boolean(condition);
    const branch = result ? "true" : "false";
    return { output: { result, branch }, handle: branch };
  },
});
