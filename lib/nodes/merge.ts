import { z } from "zod";
import { plainHandle } from "#lib/engine/node-types.ts";
import { choiceMeta } from "./config-fields.ts";
import { defineNode } from "./define.ts";

/** Combines the outputs of the branches that led here. */
export const merge = defineNode({
  type: "merge",
  name: "Merge",
  keywords: ["join"],
  family: "data",
  icon: "arrows-join",
  iconPath: "M3 7h5l3.5 5h9.5M3 17h5l3.495 -5M18 15l3 -3l-3 -3",
  summary: ["{mode=array}into an array", "{mode=first}the first available", "into an object"],
  description: `Combines the outputs of the branches that lead here. Like every node, it waits for all of them; only those that
were taken count. Output: an \`object\` keyed by the ids of the nodes before it, an \`array\` in the order of the edges, or the
\`first\` in that order. A skipped branch contributes nothing.

Example: \`{"mode": "object"}\` after the nodes \`price\` and \`stock\` gives \`{"price": {…}, "stock": {…}}\`.`,
  effect: "none",
  collects: true,
  handles: plainHandle,
  config: z.object({
    mode: z
      .enum(["object", "array", "first"], 'must be "object", "array" or "first"')
      .optional()
      .default("object")
      .meta(
        choiceMeta(
          { title: "Mode", description: "An object keyed by node id, an array, or the first output." },
          { object: "An object, by node id", array: "A list, in the order of the edges", first: "The first available" },
        ),
      ),
  }),
  example: { mode: "object" },
  run: ({ mode }, context) => {
    const inputs = context.inputs();
    if (mode === "object") return { output: Object.fromEntries(inputs.map(({ nodeId, output }) => [nodeId, output])) };
    const outputs = inputs.map(({ output }) => output);
    return { output: mode === "array" ? outputs : (outputs[0] ?? null) };
  },
});
