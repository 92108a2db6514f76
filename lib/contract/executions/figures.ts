import { z } from "zod";
import { endpoint } from "#lib/contract/endpoint.ts";
import { oneOf, searchText, time } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { isStorableText } from "#lib/engine/flow.ts";
import { executionStatuses } from "./executions.ts";

const period = z.object({
  /** The period's first day; a week starts on Monday. */
  date: z.iso.date(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  averageDuration: z.int(),
});

const countsByStatus = z
  .object({
    pending: z.int(),
    running: z.int(),
    completed: z.int(),
    failed: z.int(),
    cancelled: z.int(),
    timeout: z.int(),
  } satisfies Record<(typeof executionStatuses)[number], z.ZodInt>)
  .meta({ id: "CountsByStatus" });

export const readStats = endpoint({
  method: "GET",
  path: "/executions/stats",
  tag: "Executions",
  summary: "Read statistics of executions",
  description: "Durations are in milliseconds. `timeout` counts as failed in `summary` and in the periods.",
  scope: "executions:read",
  query: z.object({
    flowId: searchText("flowId").optional(),
    startDate: time("startDate", "start").optional(),
    endDate: time("endDate", "end").optional(),
    groupBy: oneOf("groupBy", ["day", "week", "month"]).optional().default("day"),
  }),
  shape: "data",
  status: 200,
  answer: z.object({
    summary: z.object({
      totalExecutions: z.int(),
      completed: z.int(),
      failed: z.int(),
      cancelled: z.int(),
      running: z.int(),
      successRate: z.number(),
      averageDuration: z.int(),
      totalDuration: z.int(),
    }),
    byStatus: countsByStatus,
    byDay: z.array(period).optional(),
    byWeek: z.array(period).optional(),
    byMonth: z.array(period).optional(),
    slowestExecutions: z.array(z.object({ executionId: z.string(), duration: z.int(), startedAt: timestamp })),
    mostCommonErrors: z.array(z.object({ error: z.string(), count: z.int(), percentage: z.number() })),
  }),
});

const figures = z.object({
  total: z.int(),
  pending: z.int(),
  running: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  timeout: z.int(),
  /** Completed runs as a percentage of all ended ones, with 2 decimals; null if none ended. */
  successRate: z.number().nullable(),
  /** Of completed runs, in milliseconds, accurate to 10 %; null without any. */
  p50: z.int().nullable(),
  p95: z.int().nullable(),
});

const bucketNames = ["hour", "day"] as const;

export const overview = z
  .object({
    from: timestamp,
    to: timestamp,
    bucket: z.enum(bucketNames),
    current: figures,
    /** The same for the preceding span of the same length. */
    previous: figures,
    /** Every hour or day (UTC) of the span, including those without runs. */
    series: z.array(
      z.object({
        at: timestamp,
        open: z.int(),
        completed: z.int(),
        failed: z.int(),
        cancelled: z.int(),
        timeout: z.int(),
      }),
    ),
    /** The most common errors per flow: at most 8. */
    errors: z.array(z.object({ error: z.string(), flowId: z.string(), flowName: z.string(), count: z.int() })),
    /** The flows with the highest p95 of completed runs: at most 8. */
    slowestFlows: z.array(
      z.object({ flowId: z.string(), flowName: z.string(), completed: z.int(), p50: z.int(), p95: z.int() }),
    ),
  })
  .meta({ id: "ExecutionOverview" });

export const readOverview = endpoint({
  method: "GET",
  path: "/executions/overview",
  tag: "Executions",
  summary: "Read an overview of executions",
  description:
    "How the runs that started in a span went, against the span before it: what a dashboard shows. By default the last 24 hours; at most 366 days. Durations are in milliseconds. `bucket` defaults to `hour` up to two days, to `day` beyond, and is `day` beyond 14 days.",
  scope: "executions:read",
  query: z.object({
    flowId: searchText("flowId").optional(),
    startDate: time("startDate", "start").optional(),
    endDate: time("endDate", "end").optional(),
    bucket: oneOf("bucket", bucketNames).optional(),
  }),
  shape: "data",
  status: 200,
  answer: overview,
});

export type ShownOverview = z.output<typeof overview>;
export type OverviewBucket = (typeof bucketNames)[number];

/** The most runs returned per flow, and the most flows per call. */
export const recentMax = { runs: 12, flows: 100 } as const;

const charactersMax = 4_000;

const flowIds = z
  .string("flowIds must be given once")
  .max(charactersMax, `flowIds must have at most ${charactersMax} characters`)
  .refine(isStorableText, "flowIds must not contain U+0000 or unpaired surrogates")
  .transform((text) => [...new Set(text.split(",").filter((id) => id !== ""))])
  .refine((ids) => ids.length <= recentMax.flows, `flowIds must name at most ${recentMax.flows} flows`)
  .meta({ type: "string", description: "Ids, separated by commas" });

export const readRecent = endpoint({
  method: "GET",
  path: "/executions/recent",
  tag: "Executions",
  summary: "Read the latest executions of several flows",
  description: `Of each flow that is asked for and has run, the latest ${recentMax.runs}, the latest first: for a list that shows how each flow goes.`,
  scope: "executions:read",
  query: z.object({ flowIds }),
  shape: "data",
  status: 200,
  answer: z.array(
    z.object({
      flowId: z.string(),
      runs: z.array(
        z.object({
          id: z.string(),
          status: z.enum(executionStatuses),
          startedAt: timestamp,
          duration: z.int().nullable(),
        }),
      ),
    }),
  ),
});

export type RecentRuns = z.output<(typeof readRecent)["answer"]>[number];
