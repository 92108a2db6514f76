import { query, type RunStatement } from "#lib/platform/database.ts";
import { textArray } from "#lib/platform/rows-parameter.ts";
import type { PolledItem } from "./items.ts";

/** The maximum number of keys that one statement looks up or stores. */
export const keysAtOnce = 5_000;
/** When a flow has seen more items than this, those no longer in its source are deleted, oldest first. */
const seenMax = 200_000;
/** Deletes down to this many, because finding them reads all. */
const seenAfter = 150_000;

const findSeen = "SELECT key, content FROM polled_item WHERE flow_id = $1 AND key = ANY($2::text[])";

/** Those of the items that the flow has not seen, or that have changed. */
export async function unseenOf(flowId: string, items: readonly PolledItem[]): Promise<PolledItem[]> {
  const unseen: PolledItem[] = [];
  for (let from = 0; from < items.length; from += keysAtOnce) {
    const some = items.slice(from, from + keysAtOnce);
    const keys = textArray(some.map(({ key }) => key));
    const rows = await query<{ key: string; content: string | null }>("find-polled", findSeen, [flowId, keys]);
    const seen = new Map(rows.map(({ key, content }) => [key, content]));
    for (const item of some) {
      const before = seen.get(item.key);
      if (before === undefined || (item.content !== null && before !== item.content)) unseen.push(item);
    }
  }
  return unseen;
}

const rememberItems = `
  INSERT INTO polled_item (flow_id, key, content)
  SELECT $1, key, content FROM unnest($2::text[], $3::text[]) AS given (key, content)
  ON CONFLICT (flow_id, key) DO UPDATE SET content = excluded.content, seen_at = now()`;

/** Marks items as seen, in the transaction that starts their runs. */
export async function remember(run: RunStatement, flowId: string, items: readonly PolledItem[]): Promise<void> {
  const [keys, contents] = [items.map(({ key }) => key), items.map(({ content }) => content)];
  await run("remember-polled", rememberItems, [flowId, textArray(keys), textArray(contents)]);
}

const countSeen = "SELECT count(*)::int AS count FROM polled_item WHERE flow_id = $1";
const touchItems = "UPDATE polled_item SET seen_at = now() WHERE flow_id = $1 AND key = ANY($2::text[])";
const forgetItems = `
  DELETE FROM polled_item WHERE flow_id = $1 AND key IN (
    SELECT key FROM polled_item WHERE flow_id = $1 AND seen_at < $2 ORDER BY seen_at LIMIT $3)`;

/** Deletes the oldest items that are no longer in the flow's source, once there are too many. */
export async function forgetOldItems(flowId: string, current: readonly PolledItem[]): Promise<void> {
  const [row] = await query<{ count: number }>("count-polled", countSeen, [flowId]);
  const count = row?.count ?? 0;
  if (count <= seenMax) return;
  const [now] = await query<{ now: Date }>("poll-time", "SELECT now() AS now", []);
  for (let from = 0; from < current.length; from += keysAtOnce) {
    const keys = textArray(current.slice(from, from + keysAtOnce).map(({ key }) => key));
    await query("touch-polled", touchItems, [flowId, keys]);
  }
  await query("forget-polled", forgetItems, [flowId, now?.now, count - seenAfter]);
}
