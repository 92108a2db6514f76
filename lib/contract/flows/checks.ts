import { z } from "zod";
import { endpoint } from "#lib/contract/endpoint.ts";
import { oneOf } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { flowEdges, flowNodes, flowTrigger, jsonObject } from "#lib/engine/flow.ts";

export const problem = z.object({
  /** Where: `nodes[2].config.url`. */
  path: z.string(),
  message: z.string(),
  /** `trigger` for the trigger. */
  nodeId: z.string().optional(),
});

export const adviceCodes = [
  "UNKNOWN_NODE",
  "UNKNOWN_SETTING",
  "REFUSED_HEADER",
  "UNREACHABLE_NODE",
  "DEAD_BRANCH",
  "MISSING_ELSE",
  "UNHANDLED_FAILURE",
  "RETRY_WITHOUT_IDEMPOTENCY",
  "NO_RETRY",
  "SECRET_IN_CONFIG",
  "OPEN_TRIGGER",
  "UNUSED_OUTPUT",
  "UNBOUNDED_LOOP",
  "SLOW_BEFORE_ANSWER",
  "OVERLAPPING_SCHEDULE",
  "SUBFLOW_CYCLE",
  "INACTIVE_SUBFLOW",
  "MISSING_CREDENTIAL",
  "WAIT_WITHOUT_TIMEOUT",
  "UNKNOWN_PATH",
  "OPTIONAL_PATH",
  "TYPE_MISMATCH",
] as const;
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
    "Why a flow of this trigger, these nodes and these edges could not be active, and advice on what is probably a mistake but does not stand in its way: of each the first 1,000. Nothing is stored.",
  scope: "flows:read",
  body: z.object({
    trigger: flowTrigger,
    nodes: flowNodes,
    edges: flowEdges.optional().default([]),
    flowId: z.string("flowId must be text").nullish().meta({ description: "The flow that it is of, if it is stored" }),
  }),
  bodyRequired: true,
  shape: "data",
  status: 200,
  answer: z.object({
    problems: z.array(problem),
    advice: z.array(advice).meta({ description: "What is probably a mistake" }),
  }),
});

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
    "`$node` stands for; the trigger without it. `context.item` and `context.index` are what `$item` and `$index` stand " +
    "for, as in a loop's body.",
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
          item: z.unknown().optional(),
          index: z.int("index must be a whole number").min(0, "index must be at least 0").optional(),
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

export const previewSchedule = endpoint({
  method: "POST",
  path: "/schedules/preview",
  tag: "Flows",
  summary: "Tell when a schedule comes",
  description:
    "The next five times from now on. `cron` has five fields, or six of which the first are seconds; `timezone` is an IANA name, UTC when missing. What is no schedule is 400 with the field in `details`, by the rules that hold when a flow is activated.",
  scope: "flows:read",
  body: z.object({ cron: z.unknown().optional(), timezone: z.unknown().optional() }),
  bodyRequired: true,
  shape: "data",
  status: 200,
  answer: z.object({ times: z.array(timestamp) }),
});
