import type { Actor } from "#lib/auth/actor.ts";
import { iso } from "#lib/platform/clock.ts";
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
  };
}
