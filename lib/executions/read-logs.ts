import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { readExecutionLogs, ShownLogEntry } from "#lib/contract/executions/logs.ts";
import type { LogLevel } from "#lib/nodes/define.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { ExecutionModel, LogEntryModel } from "#lib/platform/prisma/models.ts";
import { findExecution } from "./read-execution.ts";
import { runLogOf } from "./run-log.ts";

type Filter = z.output<(typeof readExecutionLogs)["query"]>;

/** One execution's log, in the order it was written. Throws NOT_FOUND. */
export async function readLogs(actor: Actor, id: string, filter: Filter): Promise<ShownLogEntry[]> {
  return await logsOf(await findExecution(actor, id), filter);
}

/** The log of an execution that the caller may read: the written entries, and those about the run as a whole. */
export async function logsOf(row: ExecutionModel, { level, nodeId }: Filter = {}): Promise<ShownLogEntry[]> {
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
  return mergedLog(rows.map(showLogEntry), matching);
}

/**
 * Written entries keep their order. Each entry about the run goes before the first later one; the start goes first, and
 * the end after everything written before the run was stored as ended.
 */
export function mergedLog(written: readonly ShownLogEntry[], ofRun: readonly ShownLogEntry[]): ShownLogEntry[] {
  const merged: ShownLogEntry[] = [];
  let next = 0;
  for (const entry of ofRun) {
    const isAfterCursor = ({ timestamp }: ShownLogEntry) =>
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
