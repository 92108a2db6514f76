import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { type AnyNode, type Body, configOf, readBody, withoutGraph } from "./body-parts.ts";

interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

type ChangeKind = "added" | "removed" | "changed";

/** How one part differs between two versions of a flow. */
export interface DraftChange {
  readonly kind: ChangeKind;
  /** For display: a node's name, "The trigger". */
  readonly what: string;
  /** A node's id, or `trigger`; null for edges and variables. */
  readonly nodeId: string | null;
  /**
   * For a node in a loop: the ids of the loops between `nodeId` and the node, then its own. For an edge in a loop: the
   * ids of the loops.
   */
  readonly within?: readonly string[];
  readonly isEdge?: true;
  readonly fields: readonly FieldChange[];
}

/** The parts of a flow that runs read. */
export type DiffedFlow = Pick<FlowDraft, "trigger" | "nodes" | "edges" | "variables">;

/** All differences between two versions that matter to runs: positions do not count. */
export function diffDrafts(before: DiffedFlow, after: DiffedFlow): DraftChange[] {
  return [
    ...diffTrigger(before, after),
    ...diffNodes(before, after),
    ...diffEdges(before, after),
    ...diffVariables(before, after),
  ];
}

function diffTrigger(before: DiffedFlow, after: DiffedFlow): DraftChange[] {
  const fields = diffFields(before.trigger, after.trigger);
  return fields.length === 0 ? [] : [{ kind: "changed", what: "The trigger", nodeId: "trigger", fields }];
}

function diffVariables(before: DiffedFlow, after: DiffedFlow): DraftChange[] {
  const fields = diffFields(before.variables, after.variables);
  return fields.length === 0 ? [] : [{ kind: "changed", what: "The variables", nodeId: null, fields }];
}

function diffNodes(before: DiffedFlow, after: DiffedFlow): DraftChange[] {
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  const now = new Map(after.nodes.map((node) => [node.id, node]));
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((id): DraftChange[] => {
    const [was, is] = [old.get(id), now.get(id)];
    const label = (is ?? was)?.name ?? id;
    if (was === undefined) return [{ kind: "added", what: label, nodeId: id, fields: [] }];
    if (is === undefined) return [{ kind: "removed", what: label, nodeId: id, fields: [] }];
    return diffNode(label, id, was, is);
  });
}

/**
 * A node's changed fields; for a loop, also each changed part of its body. `nodeId`: the node on the flow's own level.
 */
function diffNode(what: string, nodeId: string, was: AnyNode, is: AnyNode, path?: readonly string[]): DraftChange[] {
  const [old, now] = [readBody(configOf(was).body), readBody(configOf(is).body)];
  const isGraph = old !== null && now !== null;
  const own = (node: AnyNode) => comparable(isGraph ? withoutGraph(node) : node);
  const fields = diffFields(own(was), own(is));
  return [
    ...(fields.length === 0 ? [] : [{ kind: "changed" as const, what, nodeId, ...inside(path), fields }]),
    ...(isGraph ? diffBodies(what, nodeId, old, now, path ?? []) : []),
  ];
}

function inside(within: readonly string[] | undefined): Pick<DraftChange, "within"> {
  return within === undefined ? {} : { within };
}

function comparable(node: AnyNode | undefined): unknown {
  const { position: _, ...compared } = { position: null, ...node };
  return compared;
}

function diffBodies(loop: string, nodeId: string, old: Body, now: Body, path: readonly string[]): DraftChange[] {
  const nameOf = (id: string) => {
    const name = (now.nodes.get(id) ?? old.nodes.get(id))?.name;
    return typeof name === "string" ? name : id;
  };
  const nodes = [...new Set([...now.nodes.keys(), ...old.nodes.keys()])].flatMap((id): DraftChange[] => {
    const [was, is] = [old.nodes.get(id), now.nodes.get(id)];
    const what = `${loop} › ${nameOf(id)}`;
    const within = [...path, id];
    if (was === undefined) return [{ kind: "added", what, nodeId, within, fields: [] }];
    if (is === undefined) return [{ kind: "removed", what, nodeId, within, fields: [] }];
    return diffNode(what, nodeId, { name: id, config: {}, ...was }, { name: id, config: {}, ...is }, within);
  });
  const describe = (wire: Wire) => `${loop} › ${wireLabel(wire, nameOf, "Each item")}`;
  return [
    ...nodes,
    ...diffWires([...old.edges.values()].map(wireOf), [...now.edges.values()].map(wireOf), nodeId, describe).map(
      (wire) => ({
        ...wire,
        within: path,
      }),
    ),
  ];
}

function diffEdges(before: DiffedFlow, after: DiffedFlow): DraftChange[] {
  const names = new Map([...before.nodes, ...after.nodes].map((node) => [node.id, node.name]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const describe = (wire: Wire) => wireLabel(wire, nameOf, "Trigger");
  return diffWires(before.edges.map(wireOf), after.edges.map(wireOf), null, describe);
}

/** An edge by its ends. `handle`: the source handle; empty for the plain one. */
interface Wire {
  readonly source: string;
  readonly handle: string;
  readonly target: string;
}

function wireOf({ source, sourceHandle, target }: JsonObject | FlowDraft["edges"][number]): Wire {
  const handle = typeof sourceHandle === "string" ? sourceHandle : "";
  return { source: String(source), handle, target: String(target) };
}

/** "Check (true) → Ship". `start`: the name of the level's start. */
function wireLabel({ source, handle, target }: Wire, nameOf: (id: string) => string, start: string): string {
  const from = source === triggerSource ? start : nameOf(source);
  return `${from}${handle === "" ? "" : ` (${handle})`} → ${nameOf(target)}`;
}

/** Edges are distinguished by ids: several nodes may have the same name. */
function diffWires(
  before: readonly Wire[],
  after: readonly Wire[],
  nodeId: string | null,
  describe: (wire: Wire) => string,
): DraftChange[] {
  const byEnds = (wires: readonly Wire[]) =>
    new Map(wires.map((wire) => [JSON.stringify([wire.source, wire.handle, wire.target]), wire]));
  const [old, now] = [byEnds(before), byEnds(after)];
  const change = (kind: ChangeKind, wire: Wire): DraftChange => ({
    ...{ kind, what: describe(wire), nodeId, isEdge: true },
    fields: [],
  });
  return [
    ...[...now].filter(([ends]) => !old.has(ends)).map(([, wire]) => change("added", wire)),
    ...[...old].filter(([ends]) => !now.has(ends)).map(([, wire]) => change("removed", wire)),
  ];
}

/** The deepest fields that differ; lists are compared as a whole. */
export function diffFields(before: unknown, after: unknown, path = ""): FieldChange[] {
  if (before === after) return [];
  // Not comparing whole objects first keeps this linear: otherwise each level is read once per level above it.
  if (!isJsonObject(before) || !isJsonObject(after)) return isDeepEqual(before, after) ? [] : [{ path, before, after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => diffFields(before[key], after[key], path === "" ? key : `${path}.${key}`));
}
