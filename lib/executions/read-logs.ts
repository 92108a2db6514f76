import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import { logEntry, type readExecutionLogs, type ShownLogEntry } from "#lib/contract/executions/logs.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import type { LogLevel } from "#lib/nodes/define.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { LogEntryModel } from "#lib/platform/prisma/models.ts";
import { mapInTurns } from "#lib/platform/turns.ts";
import { findExecution } from "./read-execution.ts";
import { runLogOf } from "./run-log.ts";
import type { FoundExecution } from "./store/run-row.ts";

type Filter = z.output<(typeof readExecutionLogs)["query"]>;

type Placed = Pick<ShownLogEntry, "id" | "timestamp">;

/** An entry as JSON, with its data as the stored text. */
interface EntryText extends Placed {
  readonly text: string;
}

/** One execution's log as JSON, in the order it was written, in chunks. Throws NOT_FOUND before the first. */
export async function* logText(actor: Actor, id: string, filter: Filter): AsyncGenerator<string, void, undefined> {
  yield* logTextOf(await findExecution(actor, id), filter);
}

/** The log of an execution that the caller may read: the written entries, and those about the run as a whole. */
export async function* logTextOf(
  row: FoundExecution,
  { level, nodeId }: Filter = {},
): AsyncGenerator<string, void, undefined> {
  const [rows, ofRun] = await Promise.all([
    database().logEntry.findMany({
      where: {
        executionId: row.id,
        ...(level === undefined ? {} : { level }),
        ...(nodeId === undefined ? {} : { nodeId }),
      },
      orderBy: { id: "asc" },
    }),
    nodeId === undefined ? runLogOf(row) : [],
  ]);
  const matching = ofRun.filter((entry) => level === undefined || entry.level === level);
  const ofRunTexts = matching.map((entry): EntryText => ({ ...entry, text: JSON.stringify(logEntry.parse(entry)) }));
  let separator = "";
  yield "[";
  for (const { text } of mergedLog(await mapInTurns(rows, textOf), ofRunTexts)) {
    yield separator + text;
    separator = ",";
  }
  yield "]";
}

/** The same, parsed. */
export async function logsOf(row: FoundExecution): Promise<ShownLogEntry[]> {
  let text = "";
  for await (const chunk of logTextOf(row)) text += chunk;
  return (await parseOwnJson(text)) as ShownLogEntry[];
}

function textOf({ data, ...row }: LogEntryModel): EntryText {
  const entry = showLogEntry({ ...row, data: null });
  const text = JSON.stringify(logEntry.parse(entry));
  return { ...entry, text: data === null ? text : `${text.slice(0, -1)},"data":${data}}` };
}

/**
 * Written entries keep their order. Each entry about the run goes before the first later one; the start goes first, and
 * the end after everything written before the run was stored as ended.
 */
export function mergedLog<Written extends Placed, OfRun extends Placed>(
  written: readonly Written[],
  ofRun: readonly OfRun[],
): (Written | OfRun)[] {
  const merged: (Written | OfRun)[] = [];
  let next = 0;
  for (const entry of ofRun) {
    const isAfterCursor = ({ timestamp }: Placed) =>
      entry.id !== "started" && (timestamp <= entry.timestamp || entry.id === "ended");
    for (let other = written[next]; other !== undefined && isAfterCursor(other); other = written[next]) {
      merged.push(other);
      next += 1;
    }
    merged.push(entry);
  }
  return [...merged, ...written.slice(next)];
}

export function showLogEntry(row: LogEntryModel): ShownLogEntry {
  return {
    id: String(row.id),
    timestamp: iso(row.timestamp),
    level: row.level as LogLevel,
    nodeId: row.nodeId,
    message: row.message,
    ...(row.data === null ? {} : { data: JSON.parse(row.data) }),
  };
}
