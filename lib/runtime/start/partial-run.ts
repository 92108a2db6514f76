import { ancestorsOf, type Graph } from "#lib/engine/compile.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { AppError } from "#lib/errors.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import type { PresetNodes } from "./preset-nodes.ts";

interface PartialWish {
  /** The node at which the run ends. */
  readonly untilNode?: string | null | undefined;
  readonly pins?: JsonObject | null | undefined;
}

/** What a partial run skips and pins; null for a complete run. Throws VALIDATION_ERROR. */
export function partialRun(graph: Graph, status: string, { untilNode, pins }: PartialWish): PresetNodes | null {
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
