import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import type { executionStatuses } from "./executions.ts";
import { oneOf, searchText, time } from "./query.ts";
import { timestamp } from "./timestamp.ts";

const period = z.object({
  /** The period's first day; a week begins on Monday. */
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
