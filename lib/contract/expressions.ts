import { z } from "zod";
import { jsonObject } from "#lib/engine/flow.ts";
import { endpoint } from "./endpoint.ts";

export const evaluateExpression = endpoint({
  method: "POST",
  path: "/expressions/evaluate",
  tag: "Expressions",
  summary: "Evaluate an expression",
  description:
    "With or without braces, by the rules that hold in a run; over an execution's data, over data given in `context`, or both (then `context` wins). `before` is the node that `$node` stands for; `trigger` for the trigger.",
  scope: "executions:read",
  body: z.object({
    expression: z.string("expression must be text").max(65_536, "expression must have at most 65536 characters"),
    executionId: z.string("executionId must be text").nullish(),
    before: z.string("before must be a node id").nullish(),
    context: z
      .object(
        {
          trigger: z.unknown().optional(),
          nodes: jsonObject("nodes").optional(),
          vars: jsonObject("vars").optional(),
        },
        "context must be an object",
      )
      .nullish(),
  }),
  bodyRequired: true,
  shape: "data",
  status: 200,
  answer: z.union([
    z.object({ ok: z.literal(true), value: z.unknown(), type: z.string() }),
    z.object({
      ok: z.literal(false),
      error: z.object({ message: z.string(), position: z.int().nullable() }),
    }),
  ]),
});
