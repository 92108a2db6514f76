import { type FlowSettings, toStorableText } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { isDeepEqual } from "./deep-equal.ts";
import { type DiffedFlow, type DraftChange, diffDrafts, diffFields } from "./diff-drafts.ts";

/** What a working copy may hold. */
export interface CopiedFlow extends DiffedFlow {
  readonly name: string;
  /** Without `canvas`. */
  readonly settings: FlowSettings;
}

/** One change, for programs and for people. */
export interface ToldChange {
  /** Of a node, or `trigger`. */
  readonly nodeId?: string;
  /** Of what is no node: `edges`, `variables`, `name`, `settings`, `positions`. */
  readonly path?: string;
  readonly kind: DraftChange["kind"];
  /** `If / else: condition`, `+ Log`. */
  readonly summary: string;
}

const fieldsNamedMax = 3;
const wordsMax = 120;

/** Everything in which two states of a flow differ, one entry for each thing that changed. Its time is linear. */
export function tellChanges(before: CopiedFlow, after: CopiedFlow): ToldChange[] {
  const changes = diffDrafts(before, after).map(toldOf);
  const settings = diffFields(asObject(before.settings), asObject(after.settings));
  return [
    ...(before.name === after.name ? [] : [whole("name", `Name: ${after.name}`)]),
    ...changes,
    ...(settings.length === 0 ? [] : [whole("settings", `Settings: ${named(settings)}`)]),
    ...(isMoved(before, after) ? [whole("positions", "Layout")] : []),
  ];
}

const summaryMax = 200;
const entriesMax = 5;

/** One line for a version: "If / else: condition; + Log". Wires and the layout are named where nothing else changed. */
export function summarizeChanges(changes: readonly ToldChange[]): string {
  const isMinor = ({ path }: ToldChange) => path === "edges" || path === "positions";
  const major = changes.filter((change) => !isMinor(change));
  const wires = changes.filter(({ path }) => path === "edges").length;
  const minor = [...(wires > 0 ? [wires === 1 ? "1 wire" : `${wires} wires`] : [])];
  if (changes.some(({ path }) => path === "positions")) minor.push("Layout");
  const entries = major.length > 0 ? major.map(({ summary }) => summary) : minor;
  const more = entries.length - entriesMax;
  const text = [...entries.slice(0, entriesMax), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  return shortened(text, summaryMax);
}

function toldOf({ kind, what, nodeId, fields }: DraftChange): ToldChange {
  const sign = { added: "+ ", removed: "− ", changed: "" }[kind];
  const subject = nodeId === "trigger" ? "Trigger" : nodeId === null && kind === "changed" ? "Variables" : what;
  const summary = shortened(`${sign}${subject}${fields.length === 0 ? "" : `: ${named(fields)}`}`, wordsMax);
  if (nodeId !== null) return { nodeId, kind, summary };
  return { path: kind === "changed" ? "variables" : "edges", kind, summary };
}

function whole(path: string, summary: string): ToldChange {
  return { path, kind: "changed", summary: shortened(summary, wordsMax) };
}

/** The settings that differ, without the part of the path that all of them have. */
function named(fields: readonly { readonly path: string }[]): string {
  const names = fields.map(({ path }) => path.replace(/^config\./, "") || "everything");
  const more = names.length - fieldsNamedMax;
  return [...names.slice(0, fieldsNamedMax), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function isMoved(before: DiffedFlow, after: DiffedFlow): boolean {
  const places = new Map(before.nodes.map(({ id, position }) => [id, position]));
  return after.nodes.some(({ id, position }) => places.has(id) && !isDeepEqual(places.get(id), position));
}

function asObject(settings: FlowSettings): JsonObject {
  return JSON.parse(JSON.stringify(settings));
}

/** Keys of a config may hold what no column can; and half a surrogate pair could not be stored either. */
function shortened(told: string, most: number): string {
  const text = toStorableText(told);
  return text.length <= most
    ? text
    : `${text
        .slice(0, most - 1)
        .toWellFormed()
        .replace(/\ufffd$/, "")}…`;
}
