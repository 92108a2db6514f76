import { z } from "zod";
import { conditionField } from "./config-fields.ts";
import { defineNode } from "./define.ts";

/** Leaves by `true` or `false`, by JavaScript's truthiness. Output: `{result, branch}`. */
export const ifElse = defineNode({
  type: "if-else",
  name: "If / else",
  family: "logic",
  icon: "arrows-split",
  description: `Goes one of two ways. The condition is one JavaScript expression; the braces may be left out, or
stand around parts of it.
Edges from the handle \`true\` are followed when it holds, those from \`false\` when it does not.

Example: \`{"condition": "$trigger.body.total > 100"}\` gives \`{"result": true, "branch": "true"}\` for a total of 120.`,
  effect: "none",
  handles: { fixed: ["true", "false"] },
  config: z.object({
    condition: conditionField({ title: "Condition", description: "An expression: what decides." }),
  }),
  example: { condition: "$trigger.body.total > 100" },
  run: ({ condition }) => {
    const result = Boolean(condition);
    const branch = result ? "true" : "false";
    return { output: { result, branch }, handle: branch };
  },
});
