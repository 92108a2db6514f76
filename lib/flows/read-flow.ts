import type { Actor } from "#lib/auth/actor.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { findFlow } from "./find-flow.ts";
import { flowFigures } from "./flow-figures.ts";
import { showFlow } from "./show-flow.ts";

/** One flow, whole, with what its runs come to. Throws NOT_FOUND. */
export async function readFlow(actor: Actor, id: string) {
  const { row, definition } = await findFlow(actor, id);
  const figures = (await flowFigures(actor.workspaceId, [id])).get(id);
  const last = figures?.lastExecutedAt ?? null;
  return {
    ...showFlow(row, definition),
    lastExecutedAt: last === null ? null : iso(last),
    executionCount: figures?.executionCount ?? 0,
    averageExecutionTime: figures?.averageExecutionTime ?? null,
    ...(definition.trigger.type === "schedule" ? { nextRunAt: await nextRunAt(id) } : {}),
  };
}

async function nextRunAt(flowId: string): Promise<string | null> {
  const schedule = await database().flowSchedule.findUnique({ where: { flowId } });
  return schedule?.nextRunAt ? iso(schedule.nextRunAt) : null;
}
