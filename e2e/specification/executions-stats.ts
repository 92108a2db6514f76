import type { Section } from "./section.ts";

const counts =
  "executions-stats > GET /executions/stats > 200: counts, rate, periods, the slowest and the most common errors";

export const executionsStats: Section = {
  "literal-path": ["`/executions/stats` is no id", counts],
  summary: ["`summary` has the counts, successRate and durations", counts],
  "success-rate": [
    "`successRate` is completed of all that ended, in percent with 2 decimals, 0 without any",
    counts,
    "executions-stats > GET /executions/stats > 200: nothing to count is zeros",
  ],
  timeout: [
    "`timeout` counts as failed, and by its own name in byStatus",
    "executions-stats > GET /executions/stats > 200: a timeout counts as failed, and by its own name in byStatus; what runs, as running",
  ],
  "by-status": ["`byStatus` has a count for every status", counts],
  "by-day": ["`byDay` has date, completed, failed, cancelled and averageDuration", counts],
  "group-by": [
    "`groupBy` week and month give byWeek and byMonth by the period's first day",
    "executions-stats > GET /executions/stats > 200: by week and by month, in place of by day, from the period's first day",
  ],
  slowest: [
    "The 10 slowest executions",
    "executions-stats > GET /executions/stats > 200: no more than the 10 slowest and the 10 most common errors, in percent of all that failed",
  ],
  errors: [
    "The 10 most common errors, in percent of all that failed",
    "executions-stats > GET /executions/stats > 200: no more than the 10 slowest and the 10 most common errors, in percent of all that failed",
  ],
  filters: [
    "`flowId`, `startDate` and `endDate` filter",
    "executions-stats > GET /executions/stats > 200: a period without today has none of today's",
  ],
  invalid: [
    "An unknown groupBy or an unreadable date is 400",
    "executions-stats > GET /executions/stats > 400 for an unknown groupBy and a day that no calendar has",
  ],
  "any-filter": [
    "Any filter and period is counted as the executions that fit it",
    "lists-by-model > lists > of days, weeks and months in statistics: any filter is as the model has it",
  ],
};
