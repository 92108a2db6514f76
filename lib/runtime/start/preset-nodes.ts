import { ancestorsOf, type Graph } from "#lib/engine/compile.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { AppError } from "#lib/errors.ts";
import type { CompiledVersion } from "#lib/executions/nodes/compiled-version.ts";
import { nodeColumns } from "#lib/executions/store/store-columns.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { isoNow } from "#lib/platform/clock.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { namesOf } from "#lib/platform/rows-parameter.ts";

/** Nodes whose results are settled when a run starts. */
export interface PresetNodes {
  /** Nodes that the run skips. */
  readonly skipped: readonly string[];
  /** Outputs used instead of running these nodes, by node id. */
  readonly pinned: Readonly<Record<string, unknown>>;
}

const write = `
  INSERT INTO node_execution (${namesOf(nodeColumns)})
  SELECT $1, n.id, n.position, n.name, n.type, n.status, n.at, n.at, 0, NULL, NULL, n.output, NULL, NULL
  FROM unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[])
    AS n(id, position, name, type, status, at, output)`;

/** Records preset nodes in the transaction that stores a run, so that its worker finds them done. */
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

interface PartialRequest {
  /** The node at which the run stops. */
  readonly untilNode?: string | null | undefined;
  readonly pins?: JsonObject | null | undefined;
}

/** The nodes that a partial run skips and pins; null for a full run. Throws VALIDATION_ERROR. */
export function partialRun(graph: Graph, status: string, { untilNode, pins }: PartialRequest): PresetNodes | null {
  const pinned = pins ?? {};
  const target = untilNode ?? null;
  if (target === null && Object.keys(pinned).length === 0) return null;
  refusePins(graph, status, Object.keys(pinned));
  return { skipped: target === null ? [] : nodesBeyond(graph, target), pinned };
}

/** Every node that is neither `untilNode` nor leads to it. Throws VALIDATION_ERROR. */
export function nodesBeyond(graph: Graph, untilNode: string): string[] {
  if (!graph.byId.has(untilNode)) throw invalid("untilNode", `there is no node "${untilNode}" in the flow`);
  const needed = new Set([untilNode, ...ancestorsOf(graph, untilNode)]);
  return [...graph.byId.keys()].filter((id) => !needed.has(id));
}

function refusePins(graph: Graph, status: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  if (status !== "draft") throw invalid("pins", `only runs of a draft take pinned outputs, and the flow is ${status}`);
  for (const id of ids) {
    const node = graph.byId.get(id)?.node;
    if (node === undefined) throw invalid("pins", `there is no node "${id}" in the flow`);
    if ((nodeTypes.handles(node.type, node.config) ?? []).length > 0) {
      throw invalid("pins", `"${id}" chooses a way: its output cannot be pinned`);
    }
  }
}

function invalid(field: string, message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The flow cannot be run like this", { details: { [field]: message } });
}
