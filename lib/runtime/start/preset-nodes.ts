import type { CompiledVersion } from "#lib/executions/nodes/compiled-version.ts";
import { nodeColumns } from "#lib/executions/store/store-columns.ts";
import { isoNow } from "#lib/platform/clock.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { namesOf } from "#lib/platform/rows-parameter.ts";

/** What is already settled when a run starts. */
export interface PresetNodes {
  /** Nodes that it skips. */
  readonly skipped: readonly string[];
  /** Outputs used instead of running these nodes, by node id. */
  readonly pinned: Readonly<Record<string, unknown>>;
}

const write = `
  INSERT INTO node_execution (${namesOf(nodeColumns)})
  SELECT $1, n.id, n.position, n.name, n.type, n.status, n.at, n.at, 0, NULL, NULL, n.output, NULL, NULL
  FROM unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[])
    AS n(id, position, name, type, status, at, output)`;

/** Records preset nodes in the transaction that stores a run: its worker takes them as done. */
export async function storePresetNodes(
  run: RunStatement,
  executionId: string,
  { graph }: CompiledVersion,
  { skipped, pinned }: PresetNodes,
): Promise<void> {
  const now = isoNow();
  const pins = Object.entries(pinned).map(([id, output]) => ({ id, output: JSON.stringify(output ?? null) }));
  const rows = [...skipped.map((id) => ({ id, output: null })), ...pins].flatMap(({ id, output }) => {
    const node = graph.byId.get(id);
    return node === undefined ? [] : [{ ...node, output }];
  });
  await run("write-beginning", write, [
    executionId,
    rows.map(({ node }) => node.id),
    rows.map(({ index }) => index),
    rows.map(({ node }) => node.name),
    rows.map(({ node }) => node.type),
    rows.map(({ output }) => (output === null ? "skipped" : "completed")),
    rows.map(({ output }) => (output === null ? null : now)),
    rows.map(({ output }) => output),
  ]);
}
