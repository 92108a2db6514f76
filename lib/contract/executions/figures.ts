import { z } from "zod";
import { endpoint } from "#lib/contract/endpoint.ts";
import { oneOf, searchText, time } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { isStorableText } from "#lib/engine/flow.ts";
import { executionStatuses, shownRetry } from "./statuses.ts";

const period = z.object({
  /** The period's first day; a week starts on Monday. */
  date: z.iso.date().describe("The period's first day"),
  completed: z.int().describe("How many completed"),
  failed: z.int().describe("How many failed or timed out"),
  cancelled: z.int().describe("How many were cancelled"),
  averageDuration: z.int().describe("Milliseconds"),
});

const countsByStatus = z
  .object({
    pending: z.int().describe("How many are queued"),
    running: z.int().describe("How many are running"),
    completed: z.int().describe("How many completed"),
    failed: z.int().describe("How many failed"),
    cancelled: z.int().describe("How many were cancelled"),
    timeout: z.int().describe("How many timed out"),
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
    flowId: searchText("flowId").optional().describe("The flow's id"),
    startDate: time("startDate", "start").optional().describe("At or after this time"),
    endDate: time("endDate", "end").optional().describe("At or before this time"),
    groupBy: oneOf("groupBy", ["day", "week", "month"])
      .optional()
      .default("day")
      .describe("The length of a period; weeks start on Monday, in UTC"),
  }),
  answer: z.object({
    summary: z
      .object({
        totalExecutions: z.int().describe("Executions in all"),
        completed: z.int().describe("How many completed"),
        failed: z.int().describe("How many failed or timed out"),
        cancelled: z.int().describe("How many were cancelled"),
        running: z.int().describe("How many are running or queued"),
        successRate: z.number().describe("Percent of those that ended; 2 decimals"),
        averageDuration: z.int().describe("Milliseconds"),
        totalDuration: z.int().describe("Milliseconds"),
      })
      .describe("Read figures of matching executions"),
    byStatus: countsByStatus.describe("How many have each status"),
    byDay: z.array(period).optional().describe("By day, if `groupBy` is `day`"),
    byWeek: z.array(period).optional().describe("By week, if `groupBy` is `week`"),
    byMonth: z.array(period).optional().describe("By month, if `groupBy` is `month`"),
    slowestExecutions: z
      .array(
        z.object({
          executionId: z.string().describe("The execution's id"),
          duration: z.int().describe("Milliseconds; null until it has ended"),
          startedAt: timestamp.describe("When it started"),
        }),
      )
      .describe("The 10 slowest"),
    mostCommonErrors: z
      .array(
        z.object({
          error: z.string().describe("What went wrong"),
          count: z.int().describe("How often"),
          percentage: z.number().describe("Percent of all that failed"),
        }),
      )
      .describe("The 10 most common errors"),
  }),
});

const figures = z.object({
  total: z.int().describe("All items that match"),
  pending: z.int().describe("How many are queued"),
  running: z.int().describe("How many are running or queued"),
  completed: z.int().describe("How many completed"),
  failed: z.int().describe("How many failed or timed out"),
  cancelled: z.int().describe("How many were cancelled"),
  timeout: z.int().describe("How many timed out"),
  /** Completed runs as a percentage of all ended ones, with 2 decimals; null if none ended. */
  successRate: z.number().nullable().describe("Percent of those that ended; 2 decimals"),
  /** Durations of completed runs in milliseconds, accurate to 10 %; null if there are none. */
  p50: z.int().nullable().describe("The median, in milliseconds"),
  p95: z.int().nullable().describe("The 95th percentile, in milliseconds"),
});

const bucketNames = ["hour", "day"] as const;

export const overview = z
  .object({
    from: timestamp.describe("Start of the time span"),
    to: timestamp.describe("End of the time span"),
    bucket: z.enum(bucketNames).describe("The length of each bucket of the series"),
    current: figures.describe("Figures for this time span"),
    recovered: z
      .int()
      .describe("How many of those that failed or timed out completed as a retry, or as a retry of a retry"),
    /** The same for the previous span of the same length. */
    previous: figures.describe("The same figures for the preceding span of the same length"),
    /** Every hour or day (UTC) of the span, including those without runs. */
    series: z
      .array(
        z.object({
          at: timestamp.describe("When"),
          open: z.int().describe("Runs that have not ended"),
          completed: z.int().describe("How many completed"),
          failed: z.int().describe("How many failed or timed out"),
          cancelled: z.int().describe("How many were cancelled"),
          timeout: z.int().describe("How many timed out"),
        }),
      )
      .describe("Figures for each bucket"),
    /** The most common errors per flow: at most 8. */
    errors: z
      .array(
        z.object({
          error: z.string().describe("What went wrong"),
          flowId: z.string().describe("The flow's id"),
          flowName: z.string().describe("The flow's name"),
          count: z.int().describe("How often"),
        }),
      )
      .describe("The most common errors"),
    /** The flows with the highest p95 of completed runs: at most 8. */
    slowestFlows: z
      .array(
        z.object({
          flowId: z.string().describe("The flow's id"),
          flowName: z.string().describe("The flow's name"),
          completed: z.int().describe("How many completed"),
          p50: z.int().describe("The median, in milliseconds"),
          p95: z.int().describe("The 95th percentile, in milliseconds"),
        }),
      )
      .describe("The flows whose runs take longest"),
  })
  .meta({ id: "ExecutionOverview" });

export const readOverview = endpoint({
  method: "GET",
  path: "/executions/overview",
  tag: "Executions",
  summary: "Read an overview of executions",
  description:
    "Figures for the runs that started in a time span, compared with the span before it: what a dashboard shows. By default the last 24 hours; at most 366 days. Durations are in milliseconds. `bucket` defaults to `hour` up to two days, to `day` beyond, and is `day` beyond 14 days.",
  scope: "executions:read",
  query: z.object({
    flowId: searchText("flowId").optional().describe("The flow's id"),
    startDate: time("startDate", "start").optional().describe("At or after this time"),
    endDate: time("endDate", "end").optional().describe("At or before this time"),
    bucket: oneOf("bucket", bucketNames).optional().describe("The length of each bucket of the series"),
  }),
  answer: overview,
});

export type ShownOverview = z.output<typeof overview>;
export type OverviewBucket = (typeof bucketNames)[number];

/** The maximum number of runs per flow, and of flows per call. */
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
  description: `For each requested flow that has run, the latest ${recentMax.runs} runs, latest first: for a list that shows the health of each flow.`,
  scope: "executions:read",
  query: z.object({ flowIds }),
  answer: z.array(
    z.object({
      flowId: z.string().describe("The flow's id"),
      runs: z
        .array(
          z.object({
            id: z.string().describe("The execution's id"),
            status: z.enum(executionStatuses).describe("Its status; as a filter, only those with this status"),
            startedAt: timestamp.describe("When it started"),
            duration: z.int().nullable().describe("Milliseconds; null until it has ended"),
            retry: shownRetry.optional().describe("As in the list of executions"),
          }),
        )
        .describe("The latest runs of each flow"),
    }),
  ),
});

export type RecentRuns = z.output<(typeof readRecent)["answer"]>[number];
