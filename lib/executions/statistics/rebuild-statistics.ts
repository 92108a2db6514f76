import { endedStatuses, notOfDraft } from "#lib/executions/search/execution-filter.ts";
import { queryPlanned, queryUnderLock } from "#lib/platform/database.ts";
import { addToCounts, addToRuns, dayOfRun } from "./count-ended.ts";
import { bucketOf } from "./duration-buckets.ts";
import { foldStatistics, removeEmptyStatistics, sourceOfTotals, statisticsLock } from "./fold-statistics.ts";
import { allDays, allFlows, commonShard, foldedShard } from "./rollup-rows.ts";

/** A rollup: its key beside flow and day, its measures, and how to compute them from the runs. */
interface Rollup {
  readonly table: string;
  readonly key: string;
  readonly measures: readonly string[];
  readonly conflict: string;
  /** SQL over rows of `execution`. */
  readonly keyOfRuns: string;
  readonly measuresOfRuns: string;
  readonly which: string;
  /** A column that is not compared. */
  readonly extra?: { readonly column: string; readonly ofRuns: string; readonly sum: string };
}

const countOf = (status: string) => `count(*) FILTER (WHERE status = '${status}') AS ${status}`;

const runs: Rollup = {
  table: "execution_rollup",
  key: "source",
  measures: [...endedStatuses, "completed_duration", "total_duration"],
  conflict: addToCounts,
  keyOfRuns: "source",
  measuresOfRuns: `${endedStatuses.map(countOf).join(", ")},
    coalesce(sum(duration_ms) FILTER (WHERE status = 'completed'), 0) AS completed_duration,
    coalesce(sum(duration_ms), 0) AS total_duration`,
  which: "true",
  extra: { column: "last_started_at", ofRuns: "max(started_at)", sum: "max(last_started_at)" },
};

const durations: Rollup = {
  table: "duration_rollup",
  key: "bucket",
  measures: ["runs"],
  conflict: addToRuns("bucket"),
  keyOfRuns: bucketOf("duration_ms"),
  measuresOfRuns: "count(*) AS runs",
  which: `status = 'completed' AND ${notOfDraft}`,
};

const errors: Rollup = {
  table: "error_rollup",
  key: "hash",
  measures: ["runs"],
  conflict: addToRuns("hash"),
  keyOfRuns: "md5(error_message)::uuid",
  measuresOfRuns: "count(*) AS runs",
  which: `error_message IS NOT NULL AND ${notOfDraft}`,
  extra: { column: "message", ofRuns: "min(error_message)", sum: "min(message)" },
};

/**
 * Adds the difference between the expected and the stored counts. One statement sees both at the same moment, and the
 * statements that end runs change both at the same moment, so nothing is lost or blocked.
 */
function correction({ table, key, measures, conflict, extra }: Rollup, expected: string, kept: string, shard: number) {
  const keys = `flow_id, day, ${key}`;
  const extraColumn = extra === undefined ? "" : `, ${extra.column}`;
  const extraValue = extra === undefined ? "" : ", coalesce(a.extra, k.extra)";
  return `
    WITH a AS (${expected}), k AS (${kept})
    INSERT INTO ${table} AS r (workspace_id, ${keys}, shard, ${measures.join(", ")}${extraColumn})
    SELECT $1, ${keys}, ${shard},
      ${measures.map((name) => `coalesce(a.${name}, 0) - coalesce(k.${name}, 0)`).join(", ")}${extraValue}
    FROM a FULL JOIN k USING (${keys})
    WHERE ${measures.map((name) => `coalesce(a.${name}, 0) <> coalesce(k.${name}, 0)`).join(" OR ")}
    ORDER BY ${keys} ${conflict} RETURNING 1 AS corrected`;
}

/** The sums of a rollup's rows, grouped by the given expressions for flow, day and key. */
function sums({ table, key, measures, extra }: Rollup, by: readonly [string, string, string], where: string): string {
  return `
    SELECT ${by[0]} AS flow_id, ${by[1]} AS day, ${by[2]} AS ${key},
      ${measures.map((name) => `sum(${name}) AS ${name}`).join(", ")}${extra ? `, ${extra.sum} AS extra` : ""}
    FROM ${table} WHERE workspace_id = $1 AND ${where} GROUP BY 1, 2, 3`;
}

/** Compares a workspace's ($1) counts from a day ($2) up to another ($3) with the stored runs. */
function correctDays(rollup: Rollup): string {
  const { key, keyOfRuns, measuresOfRuns, which, extra } = rollup;
  const expected = `
    SELECT flow_id, ${dayOfRun} AS day, ${keyOfRuns} AS ${key}, ${measuresOfRuns}${extra ? `, ${extra.ofRuns} AS extra` : ""}
    FROM execution WHERE workspace_id = $1 AND completed_at IS NOT NULL AND ${which}
      AND started_at >= $2::date::timestamp AT TIME ZONE 'UTC' AND started_at < $3::date::timestamp AT TIME ZONE 'UTC'
    GROUP BY 1, 2, 3`;
  const days = `flow_id <> ${allFlows} AND day >= $2::date AND day < $3::date`;
  return correction(rollup, expected, sums(rollup, ["flow_id", "day", key], days), commonShard);
}

/** Compares a workspace's ($1) counts for all flows with what was folded into them. */
function correctAllFlows(rollup: Rollup): string {
  const { key } = rollup;
  const folded = `shard = ${foldedShard} AND flow_id <> ${allFlows} AND day > ${allDays}`;
  const expected = sums(rollup, [allFlows, "day", key], folded);
  const kept = `flow_id = ${allFlows} AND day > ${allDays}`;
  return correction(rollup, expected, sums(rollup, ["flow_id", "day", key], kept), foldedShard);
}

/**
 * Compares a workspace's ($1) totals, grouped by these expressions for flow, day and key, with what was folded into
 * them.
 */
function correctTotals(rollup: Rollup, by: readonly [string, string, string]): string {
  const folded = `shard = ${foldedShard} AND flow_id <> ${allFlows} AND day > ${allDays}`;
  const kept = sums(rollup, ["flow_id", "day", rollup.key], `day = ${allDays}`);
  return correction(rollup, sums(rollup, by, folded), kept, foldedShard);
}

/** Statements about a workspace's days: $1, $2, $3. */
const correctionsOfDays = [runs, durations, errors].map(correctDays);

/** Statements about a workspace: $1. */
const correctionsOfSums = [
  ...[runs, durations, errors].map(correctAllFlows),
  correctTotals(runs, ["flow_id", allDays, sourceOfTotals]),
  correctTotals(errors, [allFlows, allDays, "hash"]),
];

/** Days compared at once, so that no statement runs long. */
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

/** Compares all rollups with the stored runs and corrects them, while runs start and end. */
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
