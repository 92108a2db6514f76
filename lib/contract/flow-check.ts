import { z } from "zod";
import { flowEdges, flowNodes, flowTrigger } from "#lib/engine/flow.ts";
import { endpoint } from "./endpoint.ts";

const problem = z.object({
  /** Where: `nodes[2].config.url`. */
  path: z.string(),
  message: z.string(),
  /** `trigger` for the trigger. */
  nodeId: z.string().optional(),
});

export const checkFlow = endpoint({
  method: "POST",
  path: "/flows/check",
  tag: "Flows",
  summary: "Check a flow",
  description:
    "Every reason why a flow of this trigger, these nodes and these edges could not be active. Nothing is stored.",
  scope: "flows:read",
  body: z.object({
    trigger: flowTrigger,
    nodes: flowNodes,
    edges: flowEdges.optional().default([]),
  }),
  bodyRequired: true,
  shape: "data",
  status: 200,
  answer: z.object({ problems: z.array(problem) }),
});
