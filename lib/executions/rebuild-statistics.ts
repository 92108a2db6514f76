import { queryPlanned, queryUnderLock } from "#lib/platform/database.ts";
import { dayOfRun } from "./count-ended.ts";
import { foldStatistics, removeEmptyStatistics, statisticsLock } from "./fold-statistics.ts";
import { correctionsOfDays, correctionsOfSums } from "./rollup-corrections.ts";
import { allDays } from "./rollup-rows.ts";

/** Days that are compared at once, so that no statement lasts long. */
const daysAtOnce = 7;

const spans = `
  SELECT workspace_id AS id, min(first)::text AS first, max(last)::text AS last FROM (
    SELECT workspace_id, min(${dayOfRun}) AS first, max(${dayOfRun}) AS last FROM execution
    WHERE completed_at IS NOT NULL GROUP BY 1
    ${["execution_rollup", "duration_rollup", "error_rollup"]
      .map(
        (table) => `UNION ALL SELECT workspace_id, min(day), max(day) FROM ${table} WHERE day > ${allDays} GROUP BY 1`,
      )
      .join(" ")}) AS spans
  GROUP BY 1`;

/** Compares all rollups with the runs that are stored and corrects them, while runs go on starting and ending. */
export async function rebuildStatistics(): Promise<{ workspaces: number; corrections: number }> {
  const workspaces = await queryPlanned<{ id: string; first: string; last: string }>(spans, []);
  let corrections = 0;
  const correct = async (text: string, values: readonly unknown[]) => {
    corrections += (await queryUnderLock(statisticsLock, text, values)).length;
  };
  for (const { id, first, last } of workspaces) {
    for (let day = first; day <= last; day = later(day)) {
      for (const text of correctionsOfDays) await correct(text, [id, day, later(day)]);
    }
  }
  await foldStatistics();
  for (const { id } of workspaces) for (const text of correctionsOfSums) await correct(text, [id]);
  await removeEmptyStatistics();
  return { workspaces: workspaces.length, corrections };
}

function later(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + daysAtOnce * 86_400_000).toISOString().slice(0, 10);
}
