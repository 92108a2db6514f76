import type { Actor } from "#lib/auth/actor.ts";
import { flowTagsMax } from "#lib/contract/flow-tags.ts";
import { query } from "#lib/platform/database.ts";

interface Row extends Record<string, unknown> {
  readonly tag: string;
  readonly flows: number;
}

// A flow that was given a tag twice has it once.
const count = `
  SELECT tag, count(*)::int AS flows
  FROM (SELECT DISTINCT f.id, t.tag FROM flow f CROSS JOIN LATERAL unnest(f.tags) AS t(tag)
    WHERE f.workspace_id = $1) AS tagged
  GROUP BY tag ORDER BY flows DESC, tag LIMIT ${flowTagsMax}`;

/** The tags of the workspace's flows with how many flows have each, in the order of the alphabet. */
export async function listFlowTags({ workspaceId }: Actor): Promise<{ tag: string; flows: number }[]> {
  const rows = await query<Row>("count-flow-tags", count, [workspaceId]);
  return rows.toSorted((one, other) => one.tag.localeCompare(other.tag, "en"));
}
