import { flowLimits, toStorableText } from "#lib/engine/flow.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";

/** Limits on a document: beyond these, it is refused, or the part becomes a gap. */
export const n8nLimits = {
  /** Characters of the whole document: its names and texts, plus a few per value. */
  charactersMax: 2 * 1_048_576,
  nestingMax: 100,
  nodesMax: flowLimits.nodesMax,
  linksMax: flowLimits.edgesMax,
  /** Characters of a node's parameters, and of its expressions and code, which are parsed in one go. */
  nodeCharactersMax: 200_000,
  expressionCharactersMax: 10_000,
  expressionsCharactersMax: 40_000,
  codeCharactersMax: 40_000,
  entriesMax: 1_000,
} as const;

/** The document is not a workflow, or is larger than a flow can be. `path`: in the document. */
export class N8nDocumentError extends Error {
  readonly path: string;
  constructor(path: string, message: string) {
    super(message);
    this.name = "N8nDocumentError";
    this.path = path;
  }
}

/** A node of the document, with defaults filled in. */
export interface N8nNode {
  readonly name: string;
  /** As written: `n8n-nodes-base.set`. */
  readonly fullType: string;
  /** Without the package: `set`. */
  readonly type: string;
  readonly version: number;
  readonly position: { readonly x: number; readonly y: number };
  readonly parameters: JsonObject;
  readonly credentials: readonly { readonly kind: string; readonly name: string }[];
  readonly disabled: boolean;
  readonly onError: "stop" | "continue" | "branch";
  /** How often it is retried, and after what delay; null if it is not. */
  readonly retry: { readonly times: number; readonly delayMs: number } | null;
  readonly executeOnce: boolean;
  /** True if it gives an empty item where it has none. */
  readonly alwaysGives: boolean;
  /** True if its parameters exceed the limit. */
  readonly isTooLarge: boolean;
}

export interface Link {
  readonly source: string;
  readonly output: number;
  readonly target: string;
  readonly input: number;
}

export interface Workflow {
  readonly name: string;
  readonly timezone: string | null;
  /** How long a run may take; null without a limit. */
  readonly timeoutMs: number | null;
  /** True if failed runs start another workflow. */
  readonly hasErrorWorkflow: boolean;
  readonly nodes: readonly N8nNode[];
  readonly links: readonly Link[];
  /** Nodes that are part of another, such as an agent's model: the other node's name by theirs. */
  readonly parts: ReadonlyMap<string, string>;
  /** Parts of the document that could not be read. */
  readonly oddities: readonly { readonly node: string; readonly type: string; readonly reason: string }[];
}

type Problems = { node: string; type: string; reason: string }[];

/** Reads a workflow from n8n's export, or from nodes copied in its editor. Throws N8nDocumentError. */
export async function readWorkflow(document: unknown, pause: () => Promise<void> | undefined): Promise<Workflow> {
  await requireBounds(document, pause);
  if (!isJsonObject(document)) throw new N8nDocumentError("", "must be an n8n workflow: an object with nodes");
  const { nodes: given, connections, settings, name } = document;
  if (!Array.isArray(given)) throw new N8nDocumentError("nodes", "must be a list of nodes");
  if (given.length > n8nLimits.nodesMax) {
    throw new N8nDocumentError("nodes", `a flow has at most ${n8nLimits.nodesMax} nodes, and this has ${given.length}`);
  }
  const oddities: Problems = [];
  const nodes = new Map<string, N8nNode>();
  for (const [index, item] of given.entries()) {
    const node = isJsonObject(item) ? readNode(item, index, nodes, oddities) : null;
    if (node === null) oddities.push({ node: `nodes[${index}]`, type: "", reason: "This is not a node." });
    else nodes.set(node.name, node);
  }
  const { links, parts } = await readLinks(connections, nodes, oddities, pause);
  const { timezone: zone, errorWorkflow, executionTimeout } = isJsonObject(settings) ? settings : {};
  const timeoutSeconds = numberIn(executionTimeout, 1, 7 * 24 * 3_600, 0);
  return {
    name: shortText(name, flowLimits.nameCharactersMax) || "Imported workflow",
    timezone: typeof zone === "string" && /^[A-Za-z0-9_+/-]{1,64}$/.test(zone) && zone !== "DEFAULT" ? zone : null,
    timeoutMs: timeoutSeconds === 0 ? null : Math.round(timeoutSeconds * 1_000),
    hasErrorWorkflow: typeof errorWorkflow === "string" && errorWorkflow !== "",
    nodes: [...nodes.values()],
    links,
    parts,
    oddities,
  };
}

const charactersOf = (value: unknown) => (typeof value === "string" ? value.length + 2 : 8);
const valuesAtOnce = 4_096;

/** Checks the limits before anything else reads the document. */
async function requireBounds(document: unknown, pause: () => Promise<void> | undefined): Promise<void> {
  const { charactersMax, nestingMax } = n8nLimits;
  const stack: { value: unknown; level: number }[] = [{ value: document, level: 0 }];
  let [characters, values] = [0, 0];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { value, level } = item;
    characters += charactersOf(value);
    values += 1;
    if (values % valuesAtOnce === 0) await pause();
    if (characters > charactersMax) throw new N8nDocumentError("", `has more than ${charactersMax} characters`);
    if (typeof value !== "object" || value === null) continue;
    if (level > nestingMax) throw new N8nDocumentError("", `is nested deeper than ${nestingMax} levels`);
    for (const [key, child] of Object.entries(value)) {
      if (!Array.isArray(value)) characters += key.length + 2;
      stack.push({ value: child, level: level + 1 });
    }
  }
}

/** Whether a value is larger than `max`; stops counting there. */
function isLargerThan(value: unknown, max: number): boolean {
  const stack: unknown[] = [value];
  let characters = 0;
  for (let at = stack.pop(); stack.length > 0 || at !== undefined; at = stack.pop()) {
    characters += charactersOf(at);
    if (characters > max) return true;
    if (typeof at !== "object" || at === null) continue;
    for (const [key, child] of Object.entries(at)) {
      characters += key.length;
      stack.push(child);
    }
    if (characters + 8 * stack.length > max) return true;
  }
  return false;
}

function readNode(
  given: JsonObject,
  index: number,
  taken: ReadonlyMap<string, N8nNode>,
  oddities: Problems,
): N8nNode | null {
  if (typeof given.type !== "string") return null;
  const fullType = shortText(given.type, 200);
  const baseName = shortText(given.name, flowLimits.nameCharactersMax) || `Node ${index + 1}`;
  let name = baseName;
  for (let turn = 2; taken.has(name); turn += 1) name = `${baseName} (${index + turn})`;
  if (name !== baseName) {
    oddities.push({
      node: name,
      type: fullType,
      reason: `Another node is called “${baseName}” too: connections and expressions mean the other one.`,
    });
  }
  const { typeVersion, parameters, retryOnFail, maxTries, waitBetweenTries } = given;
  const isTooLarge = isLargerThan(parameters, n8nLimits.nodeCharactersMax);
  return {
    name,
    fullType,
    type: fullType.slice(fullType.lastIndexOf(".") + 1),
    version: numberIn(typeVersion, 0, 100, 1),
    position: positionOf(given.position, index),
    parameters: isJsonObject(parameters) && !isTooLarge ? parameters : {},
    isTooLarge,
    credentials: credentialsOf(given.credentials),
    disabled: given.disabled === true,
    onError: onErrorOf(given),
    retry:
      retryOnFail === true
        ? {
            times: Math.round(numberIn(maxTries, 2, 5, 3)) - 1,
            delayMs: Math.round(numberIn(waitBetweenTries, 0, 300_000, 1_000)),
          }
        : null,
    executeOnce: given.executeOnce === true,
    alwaysGives: given.alwaysOutputData === true,
  };
}

function onErrorOf({ onError, continueOnFail }: JsonObject): N8nNode["onError"] {
  if (onError === "continueErrorOutput") return "branch";
  return onError === "continueRegularOutput" || (onError === undefined && continueOnFail === true)
    ? "continue"
    : "stop";
}

function credentialsOf(given: unknown): N8nNode["credentials"] {
  if (!isJsonObject(given)) return [];
  return Object.entries(given)
    .slice(0, 10)
    .map(([kind, value]) => ({
      kind: shortText(kind, 100),
      name: shortText(isJsonObject(value) ? value.name : value, 100) || shortText(kind, 100),
    }));
}

function positionOf(given: unknown, index: number): { x: number; y: number } {
  const [x, y] = Array.isArray(given) ? given : [];
  const far = 1_000_000;
  return { x: numberIn(x, -far, far, (index % 20) * 220), y: numberIn(y, -far, far, Math.floor(index / 20) * 160) };
}

interface Joined {
  readonly links: Link[];
  readonly parts: Map<string, string>;
}

async function readLinks(
  connections: unknown,
  nodes: ReadonlyMap<string, N8nNode>,
  oddities: Problems,
  pause: () => Promise<void> | undefined,
): Promise<Joined> {
  const links: Link[] = [];
  const parts = new Map<string, string>();
  const seen = new Set<string>();
  const odd = (source: string, reason: string) => {
    oddities.push({ node: source, type: nodes.get(source)?.fullType ?? "", reason });
  };
  let count = 0;
  for (const { kind, source, output, target, input } of connectionsIn(connections)) {
    count += 1;
    if (count % valuesAtOnce === 0) await pause();
    const id = JSON.stringify([source, output, target, input]);
    if (!nodes.has(source) || !nodes.has(target)) {
      odd(source, `A connection from “${source}” to “${target}” is left out: there is no such node.`);
    } else if (kind.startsWith("ai_")) parts.set(source, target);
    else if (kind !== "main")
      odd(source, `A connection to “${target}” is left out: “${kind}” is no kind of connection.`);
    else if (!seen.has(id)) {
      seen.add(id);
      links.push({ source, output, target, input });
    }
    if (links.length > n8nLimits.linksMax || oddities.length > n8nLimits.linksMax) {
      throw new N8nDocumentError("connections", `a flow has at most ${n8nLimits.linksMax} connections`);
    }
  }
  return { links, parts };
}

/** The connections of a document: by source node, kind and output, a list of targets. Other values are skipped. */
function* connectionsIn(connections: unknown): Generator<Link & { readonly kind: string }> {
  const names = new Map<unknown, string>();
  // The same few names come again and again.
  const nameOf = (value: unknown) => {
    const name = names.get(value) ?? shortText(value, flowLimits.nameCharactersMax);
    names.set(value, name);
    return name;
  };
  for (const [key, kinds] of membersOf(connections)) {
    const source = nameOf(key);
    for (const [key, outputs] of membersOf(kinds)) {
      const kind = shortText(key, 50);
      for (const [output, targets] of itemsOf(outputs).entries()) {
        for (const item of itemsOf(targets)) yield { kind, source, output, ...targetOf(item, nameOf) };
      }
    }
  }
}

const membersOf = (value: unknown) => Object.entries(isJsonObject(value) ? value : {});
const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function targetOf(item: unknown, nameOf: (value: unknown) => string): Pick<Link, "target" | "input"> {
  if (!isJsonObject(item)) return { target: "", input: 0 };
  return { target: nameOf(item.node), input: Math.floor(numberIn(item.index, 0, 100, 0)) };
}

function numberIn(value: unknown, min: number, max: number, otherwise: number): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && number >= min && number <= max ? number : otherwise;
}

/** Text that can be stored, on one line and not too long; empty for anything else. */
export function shortText(value: unknown, charactersMax: number): string {
  if (typeof value !== "string") return "";
  return toStorableText(
    toStorableText(value.slice(0, charactersMax * 2))
      .replaceAll("\u001f", " ")
      .trim()
      .slice(0, charactersMax),
  );
}
