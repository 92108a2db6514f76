import { type FlowSettings, toStorableText, triggerSource } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { type AnyNode, configOf, readBody } from "./body-parts.ts";
import { isDeepEqual } from "./deep-equal.ts";
import { type DiffedFlow, type DraftChange, diffDrafts, diffFields } from "./diff-drafts.ts";

/** What a working copy may hold. */
export interface CopiedFlow extends DiffedFlow {
  readonly name: string;
  /** Without `canvas`. */
  readonly settings: FlowSettings;
}

/** One change, for programs and for people. */
export interface ListedChange {
  /** The id of a node, or `trigger`. */
  readonly nodeId?: string;
  /** For everything but nodes: `edges`, `variables`, `name`, `settings`, `positions`. */
  readonly path?: string;
  readonly kind: DraftChange["kind"];
  /** `If / else: condition`, `+ Log`. */
  readonly summary: string;
}

const fieldsNamedMax = 3;
const entryCharactersMax = 120;

/**
 * All differences between two states of a flow, one entry each; empty only if they are the same apart from the ids of
 * edges. Takes linear time.
 */
export function listChanges(before: CopiedFlow, after: CopiedFlow): ListedChange[] {
  const changes = diffDrafts(before, after).map(listedChange);
  const settings = diffFields(asObject(before.settings), asObject(after.settings));
  return [
    ...(before.name === after.name ? [] : [changedPart("name", `Name: ${after.name}`)]),
    ...changes,
    ...(settings.length === 0 ? [] : [changedPart("settings", `Settings: ${named(settings)}`)]),
    ...arrangement(before, after, changes),
  ];
}

/** Changes to nodes and edges that no other entry covers: positions, order, edge labels. */
function arrangement(before: DiffedFlow, after: DiffedFlow, changes: readonly ListedChange[]): ListedChange[] {
  const areNodesListed = changes.some(({ nodeId }) => nodeId !== undefined && nodeId !== triggerSource);
  const areEdgesListed = changes.some(({ path }) => path === "edges");
  const isLaidOut = areNodesListed ? isMoved(before, after) : !isDeepEqual(before.nodes, after.nodes);
  const isLabelled = !areNodesListed && !areEdgesListed && !isDeepEqual(withoutIds(before), withoutIds(after));
  return [
    ...(isLabelled ? [changedPart("edges", "Wires")] : []),
    ...(isLaidOut ? [changedPart("positions", "Layout")] : []),
  ];
}

function withoutIds({ edges }: DiffedFlow) {
  return edges.map(({ id: _, ...edge }) => edge);
}

const summaryCharactersMax = 200;
const entriesMax = 5;

/**
 * One line for a version: "If / else: condition; + Log". Edges and the layout are named only if nothing else changed.
 */
export function summarizeChanges(changes: readonly ListedChange[]): string {
  const isMinor = ({ path }: ListedChange) => path === "edges" || path === "positions";
  const major = changes.filter((change) => !isMinor(change));
  const wires = changes.filter(({ path }) => path === "edges").length;
  const minor = [...(wires > 0 ? [wires === 1 ? "1 wire" : `${wires} wires`] : [])];
  if (changes.some(({ path }) => path === "positions")) minor.push("Layout");
  const entries = major.length > 0 ? major.map(({ summary }) => summary) : minor;
  const rest = entries.length - entriesMax;
  const text = [...entries.slice(0, entriesMax), ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ");
  return shortened(text, summaryCharactersMax);
}

function listedChange({ kind, what, nodeId, fields }: DraftChange): ListedChange {
  const sign = { added: "+ ", removed: "− ", changed: "" }[kind];
  const subject = nodeId === "trigger" ? "Trigger" : nodeId === null && kind === "changed" ? "Variables" : what;
  const summary = shortened(`${sign}${subject}${fields.length === 0 ? "" : `: ${named(fields)}`}`, entryCharactersMax);
  if (nodeId !== null) return { nodeId, kind, summary };
  return { path: kind === "changed" ? "variables" : "edges", kind, summary };
}

function changedPart(path: string, summary: string): ListedChange {
  return { path, kind: "changed", summary: shortened(summary, entryCharactersMax) };
}

/** The settings that differ, without their common path prefix. */
function named(fields: readonly { readonly path: string }[]): string {
  const names = fields.map(({ path }) => path.replace(/^config\./, "") || "everything");
  const rest = names.length - fieldsNamedMax;
  return [...names.slice(0, fieldsNamedMax), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

function isMoved(before: DiffedFlow, after: DiffedFlow): boolean {
  const places = new Map(placesIn(before.nodes));
  return placesIn(after.nodes).some(([id, place]) => places.has(id) && !isDeepEqual(places.get(id), place));
}

/** The positions of all nodes, including those in loop bodies. */
function placesIn(nodes: readonly AnyNode[]): [string, unknown][] {
  return nodes.flatMap((node): [string, unknown][] => {
    const { id, position = { x: 0, y: 0 } } = node;
    const inBody = readBody(configOf(node).body)?.nodes.values() ?? [];
    return [[String(id), position], ...placesIn([...inBody])];
  });
}

function asObject(settings: FlowSettings): JsonObject {
  return JSON.parse(JSON.stringify(settings));
}

/** The keys of a config may contain characters that PostgreSQL cannot store, and cutting may split a surrogate pair. */
function shortened(summary: string, charactersMax: number): string {
  const text = toStorableText(summary);
  return text.length <= charactersMax
    ? text
    : `${text
        .slice(0, charactersMax - 1)
        .toWellFormed()
        .replace(/\ufffd$/, "")}…`;
}
