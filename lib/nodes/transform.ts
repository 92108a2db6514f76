import { z } from "zod";
import { plainHandle } from "#lib/engine/node-types.ts";
import { expressionField } from "./config-fields.ts";
import { defineNode } from "./define.ts";

/** Creates a value from earlier outputs. Output: the value itself. */
export const transform = defineNode({
  type: "transform",
  name: "Transform",
  keywords: ["map", "set", "edit fields"],
  family: "data",
  icon: "transform",
  iconPath:
    "M3 6a3 3 0 1 0 6 0a3 3 0 0 0 -6 0M21 11v-3a2 2 0 0 0 -2 -2h-6l3 3m0 -6l-3 3M3 13v3a2 2 0 0 0 2 2h6l-3 -3m0 6l3 -3M15 18a3 3 0 1 0 6 0a3 3 0 0 0 -6 0",
  summary: ["{transform}"],
  description: `Computes a value: one expression, a function body with a \`return\`, or an object whose strings hold
templates.

Example: \`{"transform": "({ total: $trigger.body.items.reduce((sum, item) => sum + item.price, 0) })"}\` gives
\`{"total": 42}\` for items that cost 20 and 22.`,
  effect: "none",
  ignoresInput: true,
  handles: plainHandle,
  config: z.object({
    transform: expressionField({ title: "Transform", description: "An expression, a function body, or an object." }),
  }),
  example: { transform: "({ id: $trigger.body.id, total: $trigger.body.price * $trigger.body.quantity })" },
  run: (config) => ({ output: config.transform }),
});
