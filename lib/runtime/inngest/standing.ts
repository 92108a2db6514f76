import type { WaitKind } from "#lib/engine/wait.ts";
import { query } from "#lib/platform/database.ts";

/** How a run stands when nobody does it; or, without `waitMs`, while somebody does. */
export interface Standing {
  /** `deleted` where its record is gone. */
  readonly status: string;
  /** It is not its turn among the runs of its flow. */
  readonly isHeld: boolean;
  /** Milliseconds until it is to be looked at again. */
  readonly waitMs: number | null;
  /** For how long the last of its steps that wait has been waiting. */
  readonly waitedMs: number;
  /** The steps that wait. */
  readonly waits: readonly { readonly name: string; readonly kind: WaitKind }[];
}

type Row = Standing & Record<string, unknown>;

const read = `
  SELECT e.status, e.held AS "isHeld",
    (extract(epoch FROM least(e.wake_at, now() + interval '400 days') - now()) * 1000)::float8 AS "waitMs",
    coalesce((SELECT extract(epoch FROM now() - max(w.created_at)) * 1000 FROM execution_wait w
      WHERE w.execution_id = e.id AND w.state IS NOT NULL), 0)::float8 AS "waitedMs",
    coalesce((SELECT json_agg(json_build_object('name', n.node_name, 'kind', w.kind) ORDER BY n.position, n.node_id)
      FROM execution_wait w
      JOIN node_execution n ON n.execution_id = w.execution_id AND n.node_id = w.step_id AND n.status = 'running'
      WHERE w.execution_id = e.id AND w.state IS NOT NULL), '[]') AS waits
  FROM execution e WHERE e.id = $1`;

export async function readStanding(executionId: string): Promise<Standing> {
  const [row] = await query<Row>("standing-of-run", read, [executionId]);
  return row ?? { status: "deleted", isHeld: false, waitMs: null, waitedMs: 0, waits: [] };
}

export function hasEnded({ status }: Standing): boolean {
  return status !== "pending" && status !== "running";
}
