import { z } from "zod";
import { endpoint } from "#lib/contract/endpoint.ts";
import { oneOf } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { flowEdges, flowNodes, flowTrigger, jsonObject } from "#lib/engine/flow.ts";

export const problem = z.object({
  path: z.string().describe("Where in the flow, such as `nodes[2].config.url`"),
  message: z.string().describe("What is wrong, and how to fix it"),
  /** `trigger` for the trigger. */
  nodeId: z.string().optional().describe("The node's id; null for the execution as a whole"),
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
  "MISSING_TABLE",
  "WAIT_WITHOUT_TIMEOUT",
  "UNKNOWN_PATH",
  "OPTIONAL_PATH",
  "TYPE_MISMATCH",
] as const;
export const adviceSeverities = ["info", "warning", "error"] as const;

const advice = z.object({
  code: z.enum(adviceCodes).describe("What it is about; docs/advice.md explains each"),
  severity: z.enum(adviceSeverities).describe("`error`: runs that reach it fail, or read nothing"),
  /** `trigger` for the trigger. */
  nodeId: z.string().describe("The node's id; null for the execution as a whole"),
  path: z.string().describe("Where in the flow, such as `nodes[2].config.url`"),
  message: z.string().describe("What is wrong, and how to fix it"),
  fix: z
    .object({
      title: z.string().describe("What it does, as a button label"),
      definition: z.record(z.string(), z.unknown()).describe("`trigger`, `nodes` and `edges` afterwards"),
    })
    .nullable()
    .describe("The flow with this fixed, if it can be fixed automatically"),
});

export type FlowAdvice = z.output<typeof advice>;

export const checkFlow = endpoint({
  method: "POST",
  path: "/flows/check",
  tag: "Flows",
  summary: "Check a flow",
  description:
    "Why a flow with this trigger, these nodes and these edges could not be activated, and advice on likely mistakes that do not prevent it: the first 1,000 of each. Nothing is stored.",
  scope: "flows:read",
  body: z.object({
    trigger: flowTrigger.describe("What starts it"),
    nodes: flowNodes.describe("Its nodes"),
    edges: flowEdges.optional().default([]).describe("How nodes follow one another"),
    flowId: z.string("flowId must be text").nullish().describe("The flow's id, if it is stored"),
  }),
  bodyRequired: true,
  answer: z.object({
    problems: z.array(problem).describe("Everything that keeps it from running; empty when nothing does"),
    advice: z.array(advice).describe("What is probably a mistake"),
  }),
});

/** How to read the text: as the string of a config field of this kind, or as JSON with templates in its strings. */
export const evaluatedFields = ["template", "expression", "condition", "json"] as const;

export const evaluateExpression = endpoint({
  method: "POST",
  path: "/expressions/evaluate",
  tag: "Expressions",
  summary: "Evaluate an expression",
  description:
    "By the same rules as in a run; over an execution's data, over data given in `context`, or both (then `context` wins). " +
    "`field` is the kind of config field that contains the text: in a `template`, everything outside braces is text; " +
    "an `expression` (such as `transform` of `transform`) may omit the braces; so may a `condition`, where " +
    "braces around a part are parentheses: `{{ $vars.count }} > 5` is true or false. `json` is any JSON with templates " +
    "in its strings; with `type`, it is a config of that node type, and each field is read as in one. `before` is the node that " +
    "`$node` stands for; the trigger without it. `context.item` and `context.index` are what `$item` and `$index` stand " +
    "for, as in a loop's body.",
  scope: "executions:read",
  body: z.object({
    expression: z
      .string("expression must be text")
      .max(65_536, "expression must have at most 65536 characters")
      .describe("The text, as in a config"),
    field: oneOf("field", evaluatedFields)
      .optional()
      .default("expression")
      .describe("The kind of config field, which decides how the text is read"),
    type: z.string("type must be text").nullish().describe("For `json`: the node type whose config it is"),
    executionId: z.string("executionId must be text").nullish().describe("An execution whose data it may read"),
    before: z
      .string("before must be a node id")
      .nullish()
      .describe("Id of the node that `$node` stands for, or `trigger`"),
    context: z
      .object(
        {
          trigger: z.unknown().optional().describe("`$trigger`: an object with `body`, `headers`, `query`"),
          nodes: jsonObject("nodes").optional().describe("`$nodes`: objects with `output`, by node id"),
          vars: jsonObject("vars").optional().describe("`$vars`"),
          item: z.unknown().optional().describe("`$item`"),
          index: z
            .int("index must be a whole number")
            .min(0, "index must be at least 0")
            .optional()
            .describe("`$index`: from 0"),
        },
        "context must be an object",
      )
      .nullish()
      .describe("Data instead of an execution's, or overriding it"),
  }),
  bodyRequired: true,
  answer: z.union([
    z.object({
      ok: z.literal(true).describe("Whether it could be evaluated"),
      value: z.unknown().describe("Its result"),
      type: z.string().describe("The value's JavaScript type"),
    }),
    z.object({
      ok: z.literal(false).describe("Whether it could be evaluated"),
      error: z
        .object({
          message: z.string().describe("What went wrong, in words"),
          position: z.int().nullable().describe("Where in the expression, from 0; null if unknown"),
          path: z.string().optional().describe("For `json`: which value, such as `items[0].name`"),
          undefinedName: z.string().optional().describe("The name that does not exist, if that is why"),
        })
        .describe("Why it could not be evaluated"),
    }),
  ]),
});

/** Why an expression could not be evaluated. */
export type EvaluationError = Extract<z.output<(typeof evaluateExpression)["answer"]>, { ok: false }>["error"];

export const previewSchedule = endpoint({
  method: "POST",
  path: "/schedules/preview",
  tag: "Flows",
  summary: "Preview a schedule",
  description:
    "The next five times from now on. `cron` has five fields, or six of which the first are seconds; `timezone` is an IANA name, UTC when missing. An invalid schedule is 400 with the field in `details`, by the same rules as when a flow is activated.",
  scope: "flows:read",
  body: z.object({
    cron: z
      .unknown()
      .optional()
      .describe("Five fields: minute, hour, day of month, month, day of week; or six, with seconds first"),
    timezone: z.unknown().optional().describe("IANA name, such as `Europe/Vienna`"),
  }),
  bodyRequired: true,
  answer: z.object({ times: z.array(timestamp).describe("When it would run next") }),
});
