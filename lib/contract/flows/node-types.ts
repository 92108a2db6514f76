import { z } from "zod";
import { endpoint } from "#lib/contract/endpoint.ts";
import { nodeEffects, nodeFamilies } from "#lib/engine/node-types.ts";
import { waitKinds } from "#lib/engine/wait.ts";

export const nodeType = z
  .object({
    type: z.string(),
    name: z.string(),
    family: z.enum(nodeFamilies),
    icon: z.string(),
    iconPath: z.string(),
    summary: z.array(z.string()),
    description: z.string(),
    effect: z.enum(nodeEffects),
    handles: z.object({
      fixed: z.array(z.string()),
      each: z.string().optional(),
      plain: z.string().optional(),
      labels: z.record(z.string(), z.array(z.string())).optional(),
    }),
    hasBody: z.boolean(),
    hasSteps: z.boolean(),
    waitsFor: z.enum(waitKinds).nullable(),
    configSchema: z.unknown(),
    /** Always told; but linters take an object with `type` and `example`, as the answer's example would be, for a schema. */
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
  description: "The catalogue, with a JSON Schema of each config.",
  scope: "flows:read",
  shape: "data",
  status: 200,
  answer: z.array(nodeType),
});

export type NodeType = z.output<typeof nodeType>;
