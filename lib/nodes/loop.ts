import { z } from "zod";
import { itemErrorModes } from "#lib/engine/loop.ts";
import { plainHandle } from "#lib/engine/node-types.ts";
import { choiceMeta, flowMeta, graphField, optionalExpressionField } from "./config-fields.ts";
import { defineNode, NodeFailure } from "./define.ts";
import { subFlow } from "./sub-flow.ts";

/** Runs a body of nodes, or a flow, for each item of a list. Output: the results, in the order of the items. */
export const loop = defineNode({
  type: "loop",
  name: "Loop",
  keywords: ["for each", "iterate", "repeat", "split"],
  family: "logic",
  icon: "repeat",
  iconPath: "M4 12v-3a3 3 0 0 1 3 -3h13m-3 -3l3 3l-3 3M20 12v3a3 3 0 0 1 -3 3h-13m3 3l-3 -3l3 -3",
  summary: ["[{body.nodes:nodes} ]for each of {items|the input}[ · {concurrency:text} at once]"],
  description: `Runs its own nodes, or another flow, for every item of a list: the nodes and edges of \`body\`, or the flow \`flowId\` with
the item as its data. Nodes of the body see the item as \`$item\` and its index, from 0, as \`$index\`; for the first
of them the item is also the previous node's output. They see all nodes before the loop, too. A body may wait, and
may contain loops.

Output: a list with the body's output for each item, determined like a flow's output. When an item fails, the loop
fails; with \`"onItemError": "collect"\` it continues, and the item's result is \`{error: {message, code, nodeId}}\`.
Completed work is not repeated after a crash.

Example:

\`\`\`json
{
  "items": "$trigger.body.orders",
  "concurrency": 5,
  "body": {
    "nodes": [
      { "id": "ship", "type": "http-request",
        "config": { "method": "POST", "url": "https://api.example.com/ship", "body": "{{ $item }}" } },
      { "id": "number", "type": "transform", "config": { "transform": "$nodes.ship.output.body.number" } }
    ],
    "edges": [{ "source": "ship", "target": "number" }]
  }
}
\`\`\``,
  effect: "none",
  hasBody: true,
  bodyInstead: ({ flowId }) =>
    flowId === undefined || flowId === null ? null : { type: subFlow.type, config: { flowId, data: "{{ $item }}" } },
  handles: plainHandle,
  config: z.object({
    items: optionalExpressionField({
      title: "Items",
      description: "An expression that gives the list. Default: the input.",
      examples: ["$trigger.body.orders"],
    }),
    body: graphField({
      title: "Body",
      description: "What to run for each item: {nodes, edges}, as in a flow. Ids are unique in the whole flow.",
    }),
    flowId: z
      .string("must be a flow's id")
      .optional()
      .meta(flowMeta({ title: "Flow", description: "The flow to run for each item, if there is no body." })),
    concurrency: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(100, "must be at most 100")
      .optional()
      .default(1)
      .meta({ title: "Concurrency", description: "How many items run at the same time: 1 to 100." }),
    onItemError: z
      .enum(itemErrorModes, 'must be "stop" or "collect"')
      .optional()
      .default("stop")
      .meta(
        choiceMeta(
          { title: "When an item fails", description: "`stop`: the loop fails. `collect`: it continues." },
          { stop: "Fail the loop", collect: "Continue and collect the errors" },
        ),
      ),
    maxItems: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(10_000, "must be at most 10000")
      .optional()
      .default(1_000)
      .meta({ title: "Maximum items", description: "With more items, the loop fails: 1 to 10,000." }),
  }),
  example: {
    items: "$trigger.body.orders",
    body: {
      nodes: [{ id: "line", type: "transform", config: { transform: "`${$index + 1}. ${$item.name}`" } }],
      edges: [],
    },
  },
  problem: ({ body, flowId }) => {
    if (body != null || flowId != null) return null;
    return { path: "body", message: "is required, unless flowId is given" };
  },
  run: ({ items: given, concurrency, onItemError, maxItems }, context) => {
    const items = given === undefined ? context.input() : given;
    if (!Array.isArray(items)) {
      const message = `items: must be a list${items === null ? ", but is null" : ""}`;
      throw new NodeFailure("INVALID_CONFIG", message, { field: "items" });
    }
    if (items.length > maxItems) {
      const message = `The list has ${items.length} items, and maxItems is ${maxItems}`;
      throw new NodeFailure("TOO_MANY_ITEMS", message, { field: "items" });
    }
    return { status: "iterating", items, concurrency, onItemError };
  },
});
