import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import { type DraftChange, diffDrafts, diffFields } from "#lib/engine/changes/diff-drafts.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { byName } from "#lib/engine/changes/merge-sides.ts";
import { formatPath } from "#lib/engine/json.ts";
import type { TraitsOf } from "#lib/engine/node-types.ts";
import type { FlowDocument } from "./flow-document.ts";
import { draftOf } from "./merge-flows.ts";

/** One difference between two flows. */
export interface FlowChange {
  /** The id of a node on the flow's own level, or `trigger`. */
  readonly nodeId?: string;
  /**
   * `nodes.check.config.url`, `edges`, `variables.rate`, `name`, `settings.timeoutMs`, `tests["An empty
   * order"].expect.status`.
   */
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
  /** For people: `If / else: config.condition`, `+ Log`, `− Check (true) → Ship`. */
  readonly summary: string;
  /** Missing if it was added. */
  readonly before?: unknown;
  /** Missing if it was removed. For an edge, or a node in a loop: its displayed name. */
  readonly after?: unknown;
}

/**
 * What changed from `a` to `b`, field by field: nodes, edges, tags, trigger, variables, settings, tests. Ignores card
 * positions, the order of nodes and everything else that only the canvas shows.
 * @param traitsOf node types (`nodeTypes.traits` of lib/nodes/registry.ts), so that an edge that names no handle
 * equals one that names its handle; without it, edges are compared as they are written.
 */
export function diffFlows(a: FlowDocument, b: FlowDocument, traitsOf: TraitsOf = () => undefined): FlowChange[] {
  const [before, after] = [draftOf(a.flow, traitsOf), draftOf(b.flow, traitsOf)];
  return [
    ...diffValues("name", before.name, after.name),
    ...diffValues("description", a.flow.description ?? "", b.flow.description ?? ""),
    ...diffValues("tags", before.tags, after.tags),
    ...diffDrafts(before, after).flatMap((change) => changesOf(change, before, after)),
    ...diffOrders(before, after),
    ...diffValues("settings", withoutCanvas(before), withoutCanvas(after)),
    ...diffTests(a, b),
  ];
}

function changesOf(change: DraftChange, before: FlowDraft, after: FlowDraft): FlowChange[] {
  const { kind, what, nodeId, within, isEdge, fields } = change;
  const at = nodeId === "trigger" ? "trigger" : nodeId === null ? "variables" : placeOf(nodeId, within ?? []);
  const of = nodeId === null ? {} : { nodeId };
  if (kind === "changed") {
    return fields.map((field) => {
      const path = field.path === "" ? at : `${at}.${field.path}`;
      const subject = nodeId === null ? "Variables" : nodeId === "trigger" ? "Trigger" : what;
      return { ...of, ...changeOf(path, `${subject}: ${field.path || "everything"}`, field.before, field.after) };
    });
  }
  const path = isEdge !== true ? at : nodeId === null ? "edges" : `${at}.body.edges`;
  const nodeIn = ({ nodes }: FlowDraft) => nodes.find(({ id }) => id === nodeId);
  const value = (within === undefined ? nodeIn(kind === "added" ? after : before) : undefined) ?? what;
  return [{ ...of, path, ...(kind === "added" ? added(what, value) : removed(what, value)) }];
}

/** `nodes.each.body.nodes.ship`. */
function placeOf(nodeId: string, within: readonly string[]): string {
  return formatPath(["nodes", nodeId, ...within.flatMap((id) => ["body", "nodes", id])]);
}

function changeOf(path: string, summary: string, before: unknown, after: unknown): FlowChange {
  if (before === undefined) return { path, ...added(summary, after) };
  if (after === undefined) return { path, ...removed(summary, before) };
  return { path, kind: "changed", summary, before, after };
}

function added(label: string, after: unknown) {
  return { kind: "added", summary: `+ ${label}`, after } as const;
}

function removed(label: string, before: unknown) {
  return { kind: "removed", summary: `− ${label}`, before } as const;
}

function diffValues(path: string, before: unknown, after: unknown, label = capitalized(path)): FlowChange[] {
  return diffFields(before, after).map((field) => {
    const summary = field.path === "" ? label : `${label}: ${field.path}`;
    return changeOf(field.path === "" ? path : `${path}.${field.path}`, summary, field.before, field.after);
  });
}

/** Changes in the order of the edges that leave or enter a node, which affects runs. */
function diffOrders(before: FlowDraft, after: FlowDraft): FlowChange[] {
  return (["source", "target"] as const).flatMap((end) => {
    const grouped = ({ edges }: FlowDraft) => Map.groupBy(edges, (edge) => edge[end]);
    const [old, now] = [grouped(before), grouped(after)];
    return [...now].flatMap(([id, edges]): FlowChange[] => {
      const other = end === "source" ? "target" : "source";
      const ends = (list: FlowDraft["edges"]) => list.map((edge) => `${edge.sourceHandle ?? ""} ${edge[other]}`);
      const [was, is] = [ends(old.get(id) ?? []), ends(edges)];
      // If all edges name their handles, their order does not matter.
      const isNamed = end === "source" && edges.every(({ sourceHandle }) => sourceHandle);
      if (isNamed || isDeepEqual(was, is) || !isDeepEqual(was.toSorted(), is.toSorted())) return [];
      const [first, last] = [was, is].map((list) => list.map((text) => text.trim()));
      const summary = `The order of edges ${end === "source" ? "from" : "to"} ${id}`;
      return [{ path: "edges", kind: "changed", summary, before: first, after: last }];
    });
  });
}

function diffTests(a: FlowDocument, b: FlowDocument): FlowChange[] {
  const [old, now] = [a, b].map(({ tests = [] }) => byName(tests, ({ name }) => name));
  return [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].flatMap((name) =>
    diffValues(formatPath(["tests", name]), old?.get(name), now?.get(name), `Test ${name}`),
  );
}

function withoutCanvas({ settings }: FlowDraft): unknown {
  const { canvas: _, ...others } = settings;
  return others;
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
