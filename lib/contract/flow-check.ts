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

export const adviceCodes = ["UNKNOWN_NODE", "UNKNOWN_SETTING", "REFUSED_HEADER"] as const;
export const adviceSeverities = ["info", "warning", "error"] as const;

const advice = z.object({
  code: z.enum(adviceCodes).meta({ description: "What it is about; docs/advice.md explains each" }),
  severity: z.enum(adviceSeverities).meta({ description: "`error`: runs that come there fail, or read nothing" }),
  /** `trigger` for the trigger. */
  nodeId: z.string(),
  path: z.string(),
  message: z.string(),
  fix: z
    .object({
      title: z.string().meta({ description: "What it does, as a button says it" }),
      definition: z.record(z.string(), z.unknown()).meta({ description: "`trigger`, `nodes` and `edges` afterwards" }),
    })
    .nullable()
    .meta({ description: "The flow with this mended, where that can be done without asking" }),
});

export type FlowAdvice = z.output<typeof advice>;

export const checkFlow = endpoint({
  method: "POST",
  path: "/flows/check",
  tag: "Flows",
  summary: "Check a flow",
  description:
    "Every reason why a flow of this trigger, these nodes and these edges could not be active, and advice on what is probably a mistake but keeps it from nothing. Nothing is stored.",
  scope: "flows:read",
  body: z.object({
    trigger: flowTrigger,
    nodes: flowNodes,
    edges: flowEdges.optional().default([]),
  }),
  bodyRequired: true,
  shape: "data",
  status: 200,
  answer: z.object({
    problems: z.array(problem),
    advice: z.array(advice).meta({ description: "What is probably a mistake" }),
  }),
});
