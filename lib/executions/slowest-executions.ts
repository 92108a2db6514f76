import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { countExecutions } from "./count-executions.ts";
import type { ExecutionFilter } from "./execution-filter.ts";
import { findPage } from "./find-page.ts";

const slowestMax = 10;

/** The runs that a filter fits and that took longest; of those that took as long, the latest first. */
export async function slowestExecutions(filter: ExecutionFilter) {
  const wish = { sortBy: "duration", order: "desc", offset: 0, limit: slowestMax } as const;
  const { ended } = await countExecutions(filter);
  const ids = await findPage(filter, { ended, open: 0, days: null }, wish);
  const where = { workspaceId: filter.workspaceId, id: { in: ids } };
  const rows = await database().execution.findMany({ where, select: { id: true, durationMs: true, startedAt: true } });
  return rows
    .sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
    .map((row) => ({ executionId: row.id, duration: row.durationMs ?? 0, startedAt: iso(row.startedAt) }));
}
