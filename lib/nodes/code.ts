import { z } from "zod";
import { plainHandle } from "#lib/engine/node-types.ts";
import { codeField, durationMeta } from "./config-fields.ts";
import { defineNode } from "./define.ts";

/** Runs JavaScript in the sandbox, over the same scope as expressions. Output: what it returns. */
export const code = defineNode({
  type: "code",
  name: "Code",
  keywords: ["javascript", "function", "script", "program"],
  family: "data",
  icon: "code",
  iconPath: "M7 8l-4 4l4 4M17 8l4 4l-4 4M14 4l-4 16",
  description: `Runs JavaScript: a function body over the same scope as expressions, returning a value that JSON can
hold. \`console.log\` writes into the run's log. No network, files or timers are within its reach.

Example: \`{"code": "const items = $node.output.body.items;\\nconsole.log(items.length);\\nreturn items.map(i => i.id);"}\`.`,
  effect: "none",
  ignoresInput: true,
  handles: plainHandle,
  config: z.object({
    code: codeField({
      title: "Code",
      description: "JavaScript: the body of a function that returns a value.",
      examples: ["const { items } = $trigger.body;\nreturn items.map((item) => item.id);"],
    }),
    timeoutMs: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(60_000, "must be at most 60000")
      .optional()
      .default(10_000)
      .meta(durationMeta({ title: "Time limit", description: "Milliseconds of CPU. Default 10,000, at most 60,000." })),
  }),
  example: { code: "const items = $trigger.body.items;\nconsole.log(items.length);\nreturn items.map((i) => i.id);" },
  run: async ({ code, timeoutMs }, context) => ({ output: await context.evaluate(code, timeoutMs) }),
});
