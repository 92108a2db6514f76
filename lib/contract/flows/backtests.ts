import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { parseTime } from "#lib/contract/parse-time.ts";
import { oneOf, paging } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { flowLimits, isStorableText } from "#lib/engine/flow.ts";
import { isOne, notBoth, tested } from "./flow-tests.ts";

export const backtestRunsMax = 1_000;

/** How a run would have changed. */
export const verdicts = ["same", "changed", "mended", "broken", "unknown"] as const;
export const callChanges = ["same", "changed", "new", "gone", "unknown"] as const;
/** Cancelled and timed-out runs cannot be compared. */
const comparedStatuses = ["completed", "failed"] as const;

const since = z
  .string("since must be text")
  .transform((text, context) => {
    const parsed = parseTime(text, "start");
    if (parsed !== null) return parsed;
    context.addIssue({ code: "custom", message: "since must be an ISO 8601 date or time, such as 2026-01-31" });
    return z.NEVER;
  })
  .meta({ type: "string", anyOf: ["date-time", "date"].map((format) => ({ type: "string", format })) });

const newBacktest = z
  .object({
    ...tested,
    last: z
      .int("last must be a whole number")
      .min(1, "last must be at least 1")
      .max(backtestRunsMax, `last must be at most ${backtestRunsMax}`)
      .optional()
      .describe("How many of the latest runs, 1 to 1,000; 100 by default"),
    executionIds: z
      .array(
        z.string("must be an execution's id").refine(isStorableText, "must not contain U+0000"),
        "executionIds must be an array of ids",
      )
      .min(1, "executionIds must not be empty")
      .max(backtestRunsMax, `executionIds must have at most ${backtestRunsMax} ids`)
      .optional()
      .describe("The runs to replay, instead of the latest"),
    status: oneOf("status", comparedStatuses)
      .optional()
      .describe("Runs with this status; by default `completed` and `failed`"),
    since: since.optional().describe("Runs that started at or after this time"),
  })
  .refine(isOne, notBoth)
  .superRefine(({ executionIds, last, status, since: from }, context) => {
    if (executionIds === undefined) return;
    for (const [field, value] of Object.entries({ last, status, since: from })) {
      if (value === undefined) continue;
      context.addIssue({ code: "custom", path: [field], message: "cannot be given together with executionIds" });
    }
  });

const difference = z.object({
  nodeId: z.string().nullable().describe("The node's id; null for the execution as a whole"),
  path: z
    .string()
    .describe("Where in the node: `output.total`, `request.body`, `status`; in the run where `nodeId` is null"),
  before: z.unknown().describe("The value before"),
  after: z.unknown().describe("The value after"),
});

const call = z.object({
  nodeId: z.string().describe("The node's id"),
  change: z
    .enum(callChanges)
    .describe(
      "`same`, `changed`, `new`, `gone`; `unknown` if an unknown answer decides whether it is sent. Values of `same` ones are omitted",
    ),
  before: z.unknown().describe("The value before"),
  after: z.unknown().describe("The value after"),
});

const nodeStatuses = ["completed", "failed", "cancelled", "skipped", "unknown"] as const;
const nodeStatus = z.enum(nodeStatuses);

const backtestRun = z
  .object({
    executionId: z.string().describe("The run's id"),
    startedAt: timestamp.nullable().describe("When the run started; null if it was deleted since"),
    verdict: z
      .enum(verdicts)
      .describe("The run's verdict: `unknown` if it depends on an answer that was never recorded"),
    first: difference
      .nullable()
      .describe("The first node, in the flow's order, with a different result; null if there is none"),
    calls: z.array(call).describe("What nodes send outside, or wait for. At most 40, changed ones first"),
    reason: z.string().nullable().describe("Why the run cannot be compared; null if it can"),
  })
  .meta({ id: "BacktestRun" });

export const backtestStatuses = ["running", "completed", "cancelled", "failed"] as const;
const status = z.enum(backtestStatuses);

const backtest = z
  .object({
    id: z.string().describe("Its id"),
    flowId: z.string().describe("The flow's id"),
    status: status.describe("`running` until every run is done"),
    of: z
      .enum(["definition", "draft", "version"])
      .describe("What past runs are compared with: the `definition` sent, the working copy (`draft`), or a `version`"),
    version: z.int().describe("The flow's version at that time, or the requested one"),
    done: z.int().describe("The number of runs compared so far"),
    total: z.int().describe("The number of runs to compare"),
    counts: z
      .object({
        same: z.int().describe("Runs with the same result"),
        changed: z.int().describe("Runs that end the same way, with another result"),
        mended: z.int().describe("Runs that failed, and would complete"),
        broken: z.int().describe("Runs that completed, and would fail"),
        unknown: z.int().describe("Runs for which it cannot be determined"),
      })
      .describe("Runs by verdict"),
    createdAt: timestamp.describe("When it was created"),
    completedAt: timestamp.nullable().describe("When it ended; null until it has"),
    error: z.string().nullable().describe("Why it failed; null if it did not"),
  })
  .meta({ id: "Backtest" });

const tag = "Backtests";
const params = idParams("flow").extend({ backtestId: z.string().describe("The backtest's id") });

export const createBacktest = endpoint({
  method: "POST",
  path: "/flows/:id/backtests",
  tag,
  summary: "Start a backtest",
  description: [
    "Replays recorded runs with `definition` or an earlier `version`; by default with the working copy or, without one, the current flow. Nothing is sent and no run is stored. It runs in the background: poll it for its progress.",
    "`last` selects the latest runs that completed or failed, 100 by default; `status` and `since` filter them; `executionIds` lists runs instead. Runs of a working copy, and of a part of the flow, are not compared.",
    "Answers from outside come from the recording if the flow would have sent the same request. Otherwise they are unknown, and so is everything that depends on them. Reading the result requires the scope `executions:read`. A workspace can have at most 3 backtests in progress (409).",
  ].join("\n\n"),
  scope: "tests:write",
  params: idParams("flow"),
  body: newBacktest,
  bodyLevelsMax: flowLimits.wrappedLevelsMax,
  bodyRequired: false,
  status: 202,
  answer: z.object({
    backtestId: z.string().describe("The backtest's id"),
    status: status.describe("`running` until every run is done"),
    total: z.int().describe("The number of runs to compare"),
  }),
});

export const listBacktests = endpoint({
  method: "GET",
  path: "/flows/:id/backtests",
  tag,
  summary: "List a flow's backtests",
  description: "Newest first. The last 10 per flow are kept, for a week.",
  scope: "flows:read",
  params: idParams("flow"),
  query: z.object(paging),
  shape: "list",
  answer: backtest,
});

export const readBacktest = endpoint({
  method: "GET",
  path: "/flows/:id/backtests/:backtestId",
  tag,
  summary: "Read a backtest",
  description:
    "Its progress, and a page of the finished runs, newest first; `verdict` filters them. `pagination` applies to `runs`.",
  scope: "executions:read",
  params,
  query: z.object({
    ...paging,
    verdict: oneOf("verdict", verdicts)
      .optional()
      .describe("The run's verdict: `unknown` if it depends on an answer that was never recorded"),
  }),
  answer: backtest.extend({
    runs: z.array(backtestRun).describe("The compared runs, newest first"),
    pagination: z
      .object({
        page: z.int().describe("Number of the page, from 1"),
        limit: z.int().describe("Items per page"),
        total: z.int().describe("Compared runs that match"),
        totalPages: z.int().describe("Pages in all; 0 when nothing matches"),
      })
      .describe("This page's position in the list"),
  }),
});

export const cancelBacktest = endpoint({
  method: "DELETE",
  path: "/flows/:id/backtests/:backtestId",
  tag,
  summary: "Cancel a backtest",
  description: "Its results so far stay readable. Cancelling a finished one changes nothing.",
  scope: "tests:write",
  params,
  shape: "empty",
});

const side = z.object({
  status: nodeStatus.describe("How the node ended; `unknown` if that depends on an answer that was never recorded"),
  output: z.unknown().describe("Its result"),
  request: z.unknown().describe("What it sends: a request, or its resolved config"),
  error: z
    .object({
      code: z.string().describe("The error code"),
      message: z.string().describe("What went wrong, in words"),
    })
    .nullable()
    .describe("How it failed; null if it did not"),
});

const sideOfRun = z.object({
  status: z
    .enum(["completed", "failed", "unknown"])
    .describe("How the run ended; `unknown` if that depends on an answer that was never recorded"),
  output: z.unknown().describe("Its result"),
});

export const readBacktestRun = endpoint({
  method: "GET",
  path: "/flows/:id/backtests/:backtestId/runs/:executionId",
  tag,
  summary: "Compare one run of a backtest",
  description:
    "Both results side by side, computed on request: of the run and of each node, before and after. A node that is missing from one of the two flows is null there. Values over 20,000 characters are truncated.",
  scope: "executions:read",
  params: params.extend({ executionId: z.string().describe("The run's id") }),
  answer: backtestRun.extend({
    before: sideOfRun.describe("The run as it was recorded"),
    after: sideOfRun.describe("The run with the changes"),
    nodes: z
      .array(
        z.object({
          nodeId: z.string().describe("The node's id"),
          before: side.nullable().describe("The node as it was recorded; null if that flow does not have it"),
          after: side.nullable().describe("The node with the changes; null if the changed flow does not have it"),
        }),
      )
      .describe("Each node of either flow"),
  }),
});

export type NewBacktest = z.output<typeof newBacktest>;
export type ShownBacktest = z.output<typeof backtest>;
export type ShownBacktestRun = z.output<typeof backtestRun>;
export type ComparedRun = z.output<(typeof readBacktestRun)["answer"]>;
export type BacktestSide = z.output<typeof side>;
export type Verdict = (typeof verdicts)[number];
