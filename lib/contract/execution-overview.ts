import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { oneOf, searchText, time } from "./query.ts";
import { timestamp } from "./timestamp.ts";

const figures = z.object({
  total: z.int(),
  pending: z.int(),
  running: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  timeout: z.int(),
  /** Completed of all that ended, in percent with 2 decimals; null when none ended. */
  successRate: z.number().nullable(),
  /** Of completed runs, in milliseconds, true to within 10 %; null without any. */
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
    /** The same of the span of the same length that ended when this one began. */
    previous: figures,
    /** Every hour or day (UTC) of the span, those without runs as well. */
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
    /** The most common errors, flow by flow: at most 8. */
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
