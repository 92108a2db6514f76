import type { Actor } from "#lib/auth/actor.ts";
import type { NewEvent, ShownEvent } from "#lib/contract/executions/events.ts";
import { inTransaction, query, type RunStatement } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";

const insert = `
  INSERT INTO event (id, workspace_id, key, data, created_at) VALUES ($1, $2, $3, $4, now()) RETURNING created_at AS "createdAt"`;

/** Stores an event. Under an `Idempotency-Key` once: the event that an earlier request stored is the answer. */
export async function publishEvent(actor: Actor, { key, data }: NewEvent): Promise<ShownEvent> {
  const { once, workspaceId } = actor;
  if (once?.made) return once.made as ShownEvent;
  const id = newId("event");
  const values = [id, workspaceId, key, JSON.stringify(data ?? null)];
  const store = async (run: RunStatement): Promise<ShownEvent> => {
    const [row] = await run<{ createdAt: Date }>("publish-event", insert, values);
    return { id, key, createdAt: row?.createdAt.toISOString() ?? "" };
  };
  if (once === undefined) return await store(query);
  return await inTransaction(async (run) => {
    const made = await store(run);
    await once.keep(run, made);
    return made;
  });
}
