import { Batcher } from "#lib/platform/batcher.ts";
import { isUnavailable, query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** The flow behind a trigger URL. */
export interface TriggeredFlow {
  readonly id: string;
  readonly hookId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly status: string;
  readonly version: number;
  readonly settings: string | null;
  /** The version of its row, which every change replaces. */
  readonly row: string;
}

const find = `
  SELECT id, hook_id AS "hookId", workspace_id AS "workspaceId", name, status, version, settings, xmin::text AS row
  FROM flow WHERE hook_id = ANY($1::text[])`;

const batcher = () =>
  singleton(
    "find-trigger",
    () =>
      new Batcher<string, TriggeredFlow | null>({
        handle: findAll,
        itemsMax: 500,
        batchesMax: 2,
        tryAlone: (error) => !isUnavailable(error),
      }),
  );

/** Looked up for every call; concurrent calls share the look-up. */
export function findTrigger(hookId: string): Promise<TriggeredFlow | null> {
  return batcher().add(hookId);
}

async function findAll(hookIds: readonly string[]): Promise<(TriggeredFlow | null)[]> {
  const rows = await query<TriggeredFlow & Record<string, unknown>>("find-triggers", find, [[...new Set(hookIds)]]);
  const flows = new Map(rows.map((row) => [row.hookId, row]));
  return hookIds.map((hookId) => flows.get(hookId) ?? null);
}
