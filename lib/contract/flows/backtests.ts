import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { parseTime } from "#lib/contract/parse-time.ts";
import { oneOf, paging } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { isStorableText } from "#lib/engine/flow.ts";
import { isOne, notBoth, tested } from "./flow-tests.ts";

export const backtestRunsMax = 1_000;

/** What changing the flow would have made of a run. */
export const verdicts = ["same", "changed", "mended", "broken", "unknown"] as const;
export const callChanges = ["same", "changed", "new", "gone", "unknown"] as const;
/** Runs that were cut short cannot be compared. */
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
      .optional(),
    executionIds: z
      .array(
        z.string("must be an execution's id").refine(isStorableText, "must not contain U+0000"),
        "executionIds must be an array of ids",
      )
      .min(1, "executionIds must not be empty")
      .max(backtestRunsMax, `executionIds must have at most ${backtestRunsMax} ids`)
      .optional(),
    status: oneOf("status", comparedStatuses).optional(),
    since: since.optional(),
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
  nodeId: z.string().nullable(),
  path: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});

const call = z.object({
  nodeId: z.string(),
  change: z.enum(callChanges),
  before: z.unknown(),
  after: z.unknown(),
});

const nodeStatuses = ["completed", "failed", "cancelled", "skipped", "unknown"] as const;
const nodeStatus = z.enum(nodeStatuses);

const backtestRun = z
  .object({
    executionId: z.string(),
    verdict: z.enum(verdicts),
    first: difference.nullable(),
    calls: z.array(call),
    reason: z.string().nullable(),
  })
  .meta({ id: "BacktestRun" });

export const backtestStatuses = ["running", "completed", "cancelled", "failed"] as const;
const status = z.enum(backtestStatuses);

const backtest = z
  .object({
    id: z.string(),
    flowId: z.string(),
    status,
    of: z.enum(["definition", "draft", "version"]),
    version: z.int(),
    done: z.int(),
    total: z.int(),
    counts: z.object({
      same: z.int(),
      changed: z.int(),
      mended: z.int(),
      broken: z.int(),
      unknown: z.int(),
    }),
    createdAt: timestamp,
    completedAt: timestamp.nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: "Backtest" });

const tag = "Backtests";
const params = idParams.extend({ backtestId: z.string() });

export const createBacktest = endpoint({
  method: "POST",
  path: "/flows/:id/backtests",
  tag,
  summary: "Run a changed flow over its past runs",
  description: [
    "Replays recorded runs of the flow as `definition` or an earlier `version` has it; by default its working copy, or the flow as it stands where there is none. Nothing reaches the outside and no run is stored. It goes on in the background: read its progress at its address.",
    "`last` takes the latest runs that completed or failed, 100 by default; `status` and `since` choose among them; `executionIds` names the runs instead. Runs of a working copy, and of a part of the flow, are not compared.",
    "What came back from outside is taken from the recording where the flow would have sent the same request. Otherwise it is unknown, and so is what depends on it. Reading the result takes the scope `executions:read`. A workspace has at most 3 backtests under way at once (409).",
  ].join("\n\n"),
  scope: "tests:write",
  params: idParams,
  body: newBacktest,
  bodyRequired: false,
  shape: "data",
  status: 202,
  answer: z.object({ backtestId: z.string(), status, total: z.int() }),
});

export const listBacktests = endpoint({
  method: "GET",
  path: "/flows/:id/backtests",
  tag,
  summary: "List a flow's backtests",
  description: "The newest first. They are kept for a week, and the last 10 of a flow.",
  scope: "flows:read",
  params: idParams,
  query: z.object(paging),
  shape: "list",
  status: 200,
  answer: backtest,
});

export const readBacktest = endpoint({
  method: "GET",
  path: "/flows/:id/backtests/:backtestId",
  tag,
  summary: "Read a backtest",
  description:
    "How far it is, and a page of the runs that are done: the newest first; `verdict` picks those of one kind. `pagination` is of `runs`.",
  scope: "executions:read",
  params,
  query: z.object({ ...paging, verdict: oneOf("verdict", verdicts).optional() }),
  shape: "data",
  status: 200,
  answer: backtest.extend({
    runs: z.array(backtestRun),
    pagination: z.object({ page: z.int(), limit: z.int(), total: z.int(), totalPages: z.int() }),
  }),
});

export const cancelBacktest = endpoint({
  method: "DELETE",
  path: "/flows/:id/backtests/:backtestId",
  tag,
  summary: "Cancel a backtest",
  description: "What it has found stays readable. One that is over is left as it is.",
  scope: "tests:write",
  params,
  shape: "empty",
  status: 204,
  answer: z.null(),
});

const side = z.object({
  status: nodeStatus,
  output: z.unknown(),
  request: z.unknown(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});

export const readBacktestRun = endpoint({
  method: "GET",
  path: "/flows/:id/backtests/:backtestId/runs/:executionId",
  tag,
  summary: "Compare one run of a backtest",
  description:
    "Both outcomes side by side, made when it is asked for: of the run and of each node before and after. A node that is not in one of the two flows has null there. Values over 20,000 characters are cut.",
  scope: "executions:read",
  params: params.extend({ executionId: z.string() }),
  shape: "data",
  status: 200,
  answer: backtestRun.extend({
    before: z.object({ status: z.enum(["completed", "failed", "unknown"]), output: z.unknown() }),
    after: z.object({ status: z.enum(["completed", "failed", "unknown"]), output: z.unknown() }),
    nodes: z.array(z.object({ nodeId: z.string(), before: side.nullable(), after: side.nullable() })),
  }),
});

export type NewBacktest = z.output<typeof newBacktest>;
export type ShownBacktest = z.output<typeof backtest>;
export type ShownBacktestRun = z.output<typeof backtestRun>;
export type ComparedRun = z.output<(typeof readBacktestRun)["answer"]>;
export type BacktestSide = z.output<typeof side>;
export type Verdict = (typeof verdicts)[number];
