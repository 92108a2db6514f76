import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { isJsonObject } from "#lib/engine/json.ts";

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
    const what = (is ?? was)?.name ?? id;
    if (was === undefined) return [{ kind: "added", what, nodeId: id, fields: [] }];
    if (is === undefined) return [{ kind: "removed", what, nodeId: id, fields: [] }];
    const { position: _, ...left } = was;
    const { position: __, ...right } = is;
    const fields = diffFields(left, right);
    return fields.length === 0 ? [] : [{ kind: "changed", what, nodeId: id, fields }];
  });
}

function diffEdges(before: DiffedFlow, after: DiffedFlow): DraftChange[] {
  const names = new Map([...before.nodes, ...after.nodes].map((node) => [node.id, node.name]));
  const words = ({ source, sourceHandle, target }: FlowDraft["edges"][number]) =>
    `${names.get(source) ?? "Trigger"}${sourceHandle ? ` (${sourceHandle})` : ""} → ${names.get(target) ?? target}`;
  const [old, now] = [new Set(before.edges.map(words)), new Set(after.edges.map(words))];
  const change = (kind: ChangeKind, what: string): DraftChange => ({ kind, what, nodeId: null, fields: [] });
  return [
    ...[...now].filter((edge) => !old.has(edge)).map((edge) => change("added", edge)),
    ...[...old].filter((edge) => !now.has(edge)).map((edge) => change("removed", edge)),
  ];
}

/** The deepest fields that differ; lists are compared as a whole. */
export function diffFields(before: unknown, after: unknown, path = ""): FieldChange[] {
  if (before === after) return [];
  // Objects are not compared as wholes first: each level would then be read again for every one around it.
  if (!isJsonObject(before) || !isJsonObject(after)) return isDeepEqual(before, after) ? [] : [{ path, before, after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => diffFields(before[key], after[key], path === "" ? key : `${path}.${key}`));
}
