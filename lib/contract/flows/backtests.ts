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
      .describe("The runs, in place of the latest"),
    status: oneOf("status", comparedStatuses)
      .optional()
      .describe("Runs that ended like this; `completed` and `failed` without it"),
    since: since.optional().describe("Runs that started then or later"),
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
  nodeId: z.string().nullable().describe("The node's id; null for what is of the execution as a whole"),
  path: z
    .string()
    .describe("Where in the node: `output.total`, `request.body`, `status`; in the run where `nodeId` is null"),
  before: z.unknown().describe("As it was"),
  after: z.unknown().describe("As it would be"),
});

const call = z.object({
  nodeId: z.string().describe("The node's id; null for what is of the execution as a whole"),
  change: z
    .enum(callChanges)
    .describe(
      "`same`, `changed`, `new`, `gone`; `unknown` where it depends on an unknown answer whether it is sent. Values of what is the same are left out",
    ),
  before: z.unknown().describe("As it was"),
  after: z.unknown().describe("As it would be"),
});

const nodeStatuses = ["completed", "failed", "cancelled", "skipped", "unknown"] as const;
const nodeStatus = z.enum(nodeStatuses);

const backtestRun = z
  .object({
    executionId: z.string().describe("The run's id"),
    verdict: z
      .enum(verdicts)
      .describe("What becomes of the run: `unknown` where it depends on an answer that was never recorded"),
    first: difference
      .nullable()
      .describe("The first node, in the order of the flow, that comes to something else; null without one"),
    calls: z.array(call).describe("What nodes send outside, or wait for. At most 40, the changed ones first"),
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
      .describe(
        "What is compared with what ran: a `definition` that was sent, the working copy (`draft`), or a `version`",
      ),
    version: z.int().describe("The flow's version at that time, or the one that was asked for"),
    done: z.int().describe("Those that it was done to; 0 in a dry run"),
    total: z.int().describe("How many runs it compares"),
    counts: z
      .object({
        same: z.int().describe("Runs that come to the same"),
        changed: z.int().describe("Ids of operations that take something else than before"),
        mended: z.int().describe("Runs that failed, and would complete"),
        broken: z.int().describe("Runs that completed, and would fail"),
        unknown: z.int().describe("Runs of which that cannot be told"),
      })
      .describe("Runs by verdict"),
    createdAt: timestamp.describe("When it was made"),
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
    "Replays recorded runs of the flow as `definition` or an earlier `version` has it; by default its working copy, or the flow as it stands where there is none. Nothing reaches the outside and no run is stored. It goes on in the background: read its progress at its address.",
    "`last` takes the latest runs that completed or failed, 100 by default; `status` and `since` choose among them; `executionIds` names the runs instead. Runs of a working copy, and of a part of the flow, are not compared.",
    "What came back from outside is taken from the recording where the flow would have sent the same request. Otherwise it is unknown, and so is what depends on it. Reading the result takes the scope `executions:read`. A workspace has at most 3 backtests under way at once (409).",
  ].join("\n\n"),
  scope: "tests:write",
  params: idParams("flow"),
  body: newBacktest,
  bodyRequired: false,
  shape: "data",
  status: 202,
  answer: z.object({
    backtestId: z.string().describe("The backtest's id"),
    status: status.describe("Runs that ended like this; `completed` and `failed` without it"),
    total: z.int().describe("How many runs it compares"),
  }),
});

export const listBacktests = endpoint({
  method: "GET",
  path: "/flows/:id/backtests",
  tag,
  summary: "List a flow's backtests",
  description: "The newest first. They are kept for a week, and the last 10 of a flow.",
  scope: "flows:read",
  params: idParams("flow"),
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
  query: z.object({
    ...paging,
    verdict: oneOf("verdict", verdicts)
      .optional()
      .describe("What becomes of the run: `unknown` where it depends on an answer that was never recorded"),
  }),
  shape: "data",
  status: 200,
  answer: backtest.extend({
    runs: z.array(backtestRun).describe("The runs that are compared, the newest first"),
    pagination: z
      .object({
        page: z.int().describe("Number of the page, from 1"),
        limit: z.int().describe("Items a page"),
        total: z.int().describe("How many runs it compares"),
        totalPages: z.int().describe("Pages in all; 0 when nothing matches"),
      })
      .describe("Where this page stands in the list"),
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
  status: nodeStatus.describe("`running` until every run is done"),
  output: z.unknown().describe("What it comes to"),
  request: z.unknown().describe("What it sends: a request, or its resolved config"),
  error: z
    .object({
      code: z.string().describe("What went wrong, for programs"),
      message: z.string().describe("What went wrong, for people"),
    })
    .nullable()
    .describe("How it failed; null if it did not"),
});

export const readBacktestRun = endpoint({
  method: "GET",
  path: "/flows/:id/backtests/:backtestId/runs/:executionId",
  tag,
  summary: "Compare one run of a backtest",
  description:
    "Both outcomes side by side, made when it is asked for: of the run and of each node before and after. A node that is not in one of the two flows has null there. Values over 20,000 characters are cut.",
  scope: "executions:read",
  params: params.extend({ executionId: z.string().describe("The run's id") }),
  shape: "data",
  status: 200,
  answer: backtestRun.extend({
    before: z
      .object({
        status: z.enum(["completed", "failed", "unknown"]).describe("`running` until every run is done"),
        output: z.unknown().describe("What it comes to"),
      })
      .describe("As it was"),
    after: z
      .object({
        status: z.enum(["completed", "failed", "unknown"]).describe("`running` until every run is done"),
        output: z.unknown().describe("What it comes to"),
      })
      .describe("As it would be"),
    nodes: z
      .array(
        z.object({
          nodeId: z.string().describe("The node's id; null for what is of the execution as a whole"),
          before: side.nullable().describe("As it was"),
          after: side.nullable().describe("As it would be"),
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
