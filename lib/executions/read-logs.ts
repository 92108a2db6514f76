import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { readExecutionLogs, ShownLogEntry } from "#lib/contract/executions.ts";
import type { LogLevel } from "#lib/nodes/define.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { LogEntryModel } from "#lib/platform/prisma/models.ts";
import { findExecution } from "./find-execution.ts";

type Filter = z.output<(typeof readExecutionLogs)["query"]>;

/** The log of one execution, in the order in which it was written. Throws NOT_FOUND. */
export async function readLogs(actor: Actor, id: string, filter: Filter): Promise<ShownLogEntry[]> {
  await findExecution(actor, id);
  return await logsOf(id, filter);
}

/** The log of an execution that the caller may read. */
export async function logsOf(executionId: string, { level, nodeId }: Filter = {}): Promise<ShownLogEntry[]> {
  const rows = await database().logEntry.findMany({
    where: {
      executionId,
      ...(level === undefined ? {} : { level }),
      ...(nodeId === undefined ? {} : { nodeId }),
    },
    orderBy: { id: "asc" },
  });
  return rows.map(showLogEntry);
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
