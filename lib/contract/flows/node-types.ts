import { z } from "zod";
import { endpoint } from "#lib/contract/endpoint.ts";
import { nodeEffects, nodeFamilies } from "#lib/engine/node-types.ts";
import { waitKinds } from "#lib/engine/wait.ts";

export const nodeType = z
  .object({
    type: z.string().describe("The value of a node's `type`"),
    name: z.string().describe("Its name"),
    family: z.enum(nodeFamilies).describe("Group in the palette"),
    icon: z.string().describe("Name of its icon, a Tabler icon"),
    iconPath: z.string().describe("That icon's lines, for the `d` of one SVG path on a grid of 24 by 24"),
    summary: z
      .array(z.string())
      .describe(
        "The text on a node's card: the first line that fits its config. `{field}` is replaced with a field; `[…]` is omitted if a field in it is empty",
      ),
    description: z.string().describe("What it does, with an example"),
    keywords: z.array(z.string()).describe("Other words that people search for it by"),
    effect: z.enum(nodeEffects).describe("Its effect outside the run; a retry may do a `write` twice"),
    handles: z
      .object({
        fixed: z.array(z.string()).describe("Handles that every node of the type has"),
        each: z.string().optional().describe("The config's list that has a handle for each of its items"),
        plain: z.string().optional().describe("The handle of an edge that names none"),
        labels: z
          .record(z.string(), z.array(z.string()))
          .optional()
          .describe("Words for its handles, as labels of edges without one"),
      })
      .describe("Its outputs, besides the plain one and `error`"),
    hasBody: z.boolean().describe("Whether it runs the nodes in its config's `body` for each of its items"),
    hasSteps: z.boolean().describe("Whether it takes recorded steps, which a run shows as its iterations"),
    waitsFor: z
      .enum(waitKinds)
      .nullable()
      .describe("What it may wait for: a `time`, a `call` to its URL, the end of an `execution`, or an `event`"),
    configSchema: z.unknown().describe("JSON Schema of its config"),
    /** Always present; but linters take an object with `type` and `example`, as the answer's example would be, for a schema. */
    example: z
      .unknown()
      .optional()
      .meta({ description: "A config that shows its use", examples: [{ condition: "$trigger.body.total > 100" }] }),
  })
  .meta({ id: "NodeType" });

export const listNodeTypes = endpoint({
  method: "GET",
  path: "/node-types",
  tag: "Node types",
  summary: "List node types",
  description:
    "The catalogue, with a JSON Schema of each config. It changes only with the program: send the `ETag` of an earlier answer as `If-None-Match`.",
  scope: "flows:read",
  statuses: [200, 304],
  answer: z.array(nodeType),
});

export type NodeType = z.output<typeof nodeType>;
