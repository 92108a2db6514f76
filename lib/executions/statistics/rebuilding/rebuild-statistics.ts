import { queryPlanned, queryUnderLock } from "#lib/platform/database.ts";
import { hourOfRun } from "../count-ended.ts";
import { foldStatistics, removeEmptyStatistics, sourceOfTotals } from "../fold-statistics.ts";
import { allFlows, shardOf } from "../rollup-rows.ts";
import { correctionOfTotals, correctionsOfHours, correctionsOfSums, rollups } from "./corrections.ts";
import { statisticsLock } from "./older-servers.ts";

/** Statements that correct a workspace ($1). */
const correctionsOfTotals = [
  ...correctionOfTotals("run_count", "flow_id", sourceOfTotals),
  ...correctionOfTotals("error_count", allFlows, "hash"),
];

/** Days compared per statement, so that none runs long. */
const daysAtOnce = 7;

const spans = `
  SELECT workspace_id AS id, min(first) AS first, max(last) AS last FROM (
    SELECT workspace_id, min(${hourOfRun}) AS first, max(${hourOfRun}) AS last FROM execution
    WHERE completed_at IS NOT NULL GROUP BY 1
    ${rollups
      .map(
        ({ table }) =>
          `UNION ALL SELECT workspace_id, min(at), max(at) FROM ${table} WHERE shard <> ${shardOf.allTime} GROUP BY 1`,
      )
      .join(" ")}) AS spans
  GROUP BY 1`;

/** Compares all rollups with the stored runs and corrects them, even while runs start and end. */
export async function rebuildStatistics(): Promise<{ workspaces: number; corrections: number }> {
  const workspaces = await queryPlanned<{ id: string; first: Date; last: Date }>(spans, []);
  let corrections = 0;
  const correct = async (text: string, values: readonly unknown[]) => {
    corrections += (await queryUnderLock(statisticsLock, text, values)).length;
  };
  for (const { id, first, last } of workspaces) {
    for (let from = dayOf(first); from <= last; from = later(from)) {
      for (const text of correctionsOfHours) await correct(text, [id, from, later(from)]);
    }
  }
  await foldStatistics();
  for (const { id, first, last } of workspaces) {
    for (let from = monthOf(first); from <= last; from = monthOf(from, 1)) {
      for (const text of correctionsOfSums) await correct(text, [id, from, monthOf(from, 1)]);
    }
    for (const text of correctionsOfTotals) await correct(text, [id]);
  }
  await removeEmptyStatistics();
  return { workspaces: workspaces.length, corrections };
}

const dayMs = 86_400_000;

function dayOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / dayMs) * dayMs);
}

function later(day: Date): Date {
  return new Date(day.getTime() + daysAtOnce * dayMs);
}

function monthOf(time: Date, plus = 0): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + plus));
}
