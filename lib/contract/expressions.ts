import { z } from "zod";
import { jsonObject } from "#lib/engine/flow.ts";
import { endpoint } from "./endpoint.ts";
import { oneOf } from "./query.ts";

/** How the text is read: as the string of a config field of that kind. */
export const evaluatedFields = ["template", "expression", "condition"] as const;

export const evaluateExpression = endpoint({
  method: "POST",
  path: "/expressions/evaluate",
  tag: "Expressions",
  summary: "Evaluate an expression",
  description:
    "By the rules that hold in a run; over an execution's data, over data given in `context`, or both (then `context` wins). " +
    "`field` is the kind of config field that the text stands in: in a `template`, what is outside of braces is text; " +
    "an `expression` (such as `transform` of `transform`) may leave the braces out; and so may a `condition`, where " +
    "braces around a part are parentheses: `{{ $vars.count }} > 5` is true or false. `before` is the node that " +
    "`$node` stands for; the trigger without it.",
  scope: "executions:read",
  body: z.object({
    expression: z.string("expression must be text").max(65_536, "expression must have at most 65536 characters"),
    field: oneOf("field", evaluatedFields).optional().default("expression"),
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
