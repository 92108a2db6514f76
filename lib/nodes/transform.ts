import { z } from "zod";
import { plainHandle } from "#lib/engine/branches.ts";
import { expressionField } from "./config-fields.ts";
import { defineNode } from "./define.ts";

/** Makes a value out of what came before. Output: the value itself. */
export const transform = defineNode({
  type: "transform",
  name: "Transform",
  family: "data",
  icon: "transform",
  description: `Makes a value: one expression, a function body with a \`return\`, or an object whose strings hold
templates.

Example: \`{"transform": "({ total: $trigger.body.items.reduce((sum, item) => sum + item.price, 0) })"}\` gives
\`{"total": 42}\` for items that cost 20 and 22.`,
  effect: "none",
  handles: plainHandle,
  config: z.object({
    transform: expressionField({ title: "Transform", description: "An expression, a function body, or an object." }),
  }),
  example: { transform: "({ id: $trigger.body.id, total: $trigger.body.price * $trigger.body.quantity })" },
  run: (config) => ({ output: config.transform }),
});
