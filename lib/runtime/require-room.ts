import { LRUCache } from "lru-cache";
import { AppError } from "#lib/errors.ts";
import { query } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** What is known of a workspace's queue: as it was counted, and what this process added to it since. */
interface Queue {
  readonly countedAt: number;
  pending: number;
}

const workspacesMax = 10_000;
/** How long a count is believed while there is room, and while there is none. */
const believedMs = { room: 1_000, full: 100 };
const retryAfterSeconds = 5;

const count = `
  SELECT count(*)::int AS pending FROM (
    SELECT 1 FROM execution WHERE workspace_id = $1 AND status IN ('pending', 'running') AND status = 'pending'
    LIMIT $2) AS queue`;

/**
 * Takes a place in the workspace's queue. Throws SERVICE_UNAVAILABLE while QUEUE_MAX runs wait for somebody to do them:
 * a workspace that starts more than is done is told so, instead of running ever later.
 */
export async function requireRoom(workspaceId: string): Promise<void> {
  const queues = singleton("queues", () => new LRUCache<string, Queue>({ max: workspacesMax }));
  const max = env().queueMax;
  let queue = queues.get(workspaceId);
  const age = Date.now() - (queue?.countedAt ?? 0);
  if (queue === undefined || age > (queue.pending < max ? believedMs.room : believedMs.full)) {
    const [row] = await query<{ pending: number }>("count-queue", count, [workspaceId, max]);
    queue = { countedAt: Date.now(), pending: row?.pending ?? 0 };
    queues.set(workspaceId, queue);
  }
  if (queue.pending >= max) {
    throw new AppError("SERVICE_UNAVAILABLE", `${max} runs are waiting already; try again later`, {
      retryAfterSeconds,
    });
  }
  queue.pending += 1;
}
