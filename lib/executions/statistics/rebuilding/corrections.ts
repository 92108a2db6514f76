import { endedStatuses, notOfDraft } from "#lib/executions/search/execution-filter.ts";
import { addToCounts, addToRuns, hourOfRun } from "../count-ended.ts";
import { bucketOf } from "../duration-buckets.ts";
import { allFlows, allTime, commonShard, isFolded, isUnfolded, shardOf, startOf } from "../rollup-rows.ts";

/** A rollup: its key besides flow and time, its measures, and how to compute them from the runs. */
interface Rollup {
  readonly table: "run_count" | "duration_count" | "error_count";
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
  table: "run_count",
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
  table: "duration_count",
  key: "bucket",
  measures: ["runs"],
  conflict: addToRuns("bucket"),
  keyOfRuns: bucketOf("duration_ms"),
  measuresOfRuns: "count(*) AS runs",
  which: `status = 'completed' AND ${notOfDraft}`,
};

const errors: Rollup = {
  table: "error_count",
  key: "hash",
  measures: ["runs"],
  conflict: addToRuns("hash"),
  keyOfRuns: "md5(error_message)::uuid",
  measuresOfRuns: "count(*) AS runs",
  which: `error_message IS NOT NULL AND ${notOfDraft}`,
  extra: { column: "message", ofRuns: "min(error_message)", sum: "min(message)" },
};

export const rollups: readonly Rollup[] = [runs, durations, errors];

/**
 * Adds the difference between the expected and the stored counts. One statement reads both in one snapshot, and the
 * statements that end runs change both atomically, so nothing is lost or blocked.
 */
function correction(
  { table, key, measures, conflict, extra }: Rollup,
  expected: string,
  stored: string,
  shard: number,
) {
  const keys = `flow_id, at, ${key}`;
  const extraColumn = extra === undefined ? "" : `, ${extra.column}`;
  const extraValue = extra === undefined ? "" : ", coalesce(a.extra, k.extra)";
  return `
    WITH a AS (${expected}), k AS (${stored})
    INSERT INTO ${table} AS r (workspace_id, ${keys}, shard, ${measures.join(", ")}${extraColumn})
    SELECT $1, ${keys}, ${shard},
      ${measures.map((name) => `coalesce(a.${name}, 0) - coalesce(k.${name}, 0)`).join(", ")}${extraValue}
    FROM a FULL JOIN k USING (${keys})
    WHERE ${measures.map((name) => `coalesce(a.${name}, 0) <> coalesce(k.${name}, 0)`).join(" OR ")}
    ORDER BY ${keys} ${conflict} RETURNING 1 AS corrected`;
}

interface Level {
  /** Expressions for flow, time and key. */
  readonly by: readonly [string, string, string];
  readonly shard: number;
}

/** The sums of a rollup's rows, grouped by a level's expressions. */
function sums({ table, key, measures, extra }: Rollup, by: Level["by"], where: string): string {
  return `
    SELECT ${by[0]} AS flow_id, ${by[1]} AS at, ${by[2]} AS ${key},
      ${measures.map((name) => `sum(${name}) AS ${name}`).join(", ")}${extra ? `, ${extra.sum} AS extra` : ""}
    FROM ${table} WHERE workspace_id = $1 AND ${where} GROUP BY 1, 2, 3`;
}

const within = (time: string) => `${time} >= $2::timestamptz AND ${time} < $3::timestamptz`;

/** Compares a workspace's ($1) hours from a time ($2) up to another ($3) with the stored runs. */
function correctHours(rollup: Rollup): string {
  const { key, keyOfRuns, measuresOfRuns, which, extra } = rollup;
  const expected = `
    SELECT flow_id, ${hourOfRun} AS at, ${keyOfRuns} AS ${key}, ${measuresOfRuns}${extra ? `, ${extra.ofRuns} AS extra` : ""}
    FROM execution WHERE workspace_id = $1 AND completed_at IS NOT NULL AND ${which} AND ${within("started_at")}
    GROUP BY 1, 2, 3`;
  const hours = `flow_id <> ${allFlows} AND (shard = ${shardOf.hour} OR ${isUnfolded}) AND ${within("at")}`;
  return correction(rollup, expected, sums(rollup, ["flow_id", "at", key], hours), commonShard);
}

/** Compares a workspace's ($1) sums from a month ($2) up to another ($3) with the folded hours that make them up. */
function correctSums(rollup: Rollup, { by, shard }: Level): string {
  const { key } = rollup;
  const folded = `shard = ${shardOf.hour} AND flow_id <> ${allFlows} AND ${within("at")}`;
  const ofLevel = by[0] === allFlows ? `flow_id = ${allFlows}` : `flow_id <> ${allFlows}`;
  const stored = `shard = ${shard} AND ${ofLevel} AND ${within("at")}`;
  return correction(rollup, sums(rollup, by, folded), sums(rollup, ["flow_id", "at", key], stored), shard);
}

/** Compares a workspace's ($1) totals, by these expressions, with the folded months of its flows. */
function correctTotals(rollup: Rollup, by: Level["by"]): string {
  const months = `shard = ${shardOf.month} AND ${isFolded} AND flow_id <> ${allFlows}`;
  const stored = sums(rollup, ["flow_id", "at", rollup.key], `shard = ${shardOf.allTime}`);
  return correction(rollup, sums(rollup, by, months), stored, shardOf.allTime);
}

const levelsOf = ({ key }: Rollup): Level[] =>
  ["flow_id", allFlows].flatMap((flow) => [
    ...(flow === allFlows ? [{ by: [flow, "at", key], shard: shardOf.hour } as const] : []),
    { by: [flow, startOf("day"), key], shard: shardOf.day } as const,
    { by: [flow, startOf("month"), key], shard: shardOf.month } as const,
  ]);

/**
 * Statements that correct a workspace's ($1) hours from $2 up to $3. The next fold adds what they write to the sums.
 */
export const correctionsOfHours = rollups.map(correctHours);

/**
 * Statements that correct a workspace's ($1) days and months, and those of all flows, from $2 up to $3, both starts of
 * months.
 */
export const correctionsOfSums = rollups.flatMap((rollup) =>
  levelsOf(rollup).map((level) => correctSums(rollup, level)),
);

/** A statement that corrects a workspace's ($1) totals. */
export const correctionOfTotals = (table: Rollup["table"], flow: string, key: string) =>
  rollups.filter((rollup) => rollup.table === table).map((rollup) => correctTotals(rollup, [flow, allTime, key]));
