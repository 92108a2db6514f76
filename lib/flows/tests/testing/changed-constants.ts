// Mutates a flow in one constant, to test what tests detect.
import type { FlowNode } from "#lib/engine/flow.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";

type Node = Pick<FlowNode, "id" | "type" | "config"> & { readonly disabled?: boolean | undefined };

/** Ids, and settings whose change a test cannot detect: retries, concurrency, time limits, error handling. */
const unseen = new Set(["id", "retry", "concurrency", "onError", "onItemError", "maxItems", "pagesMax", "timeout"]);
const replacements: Readonly<Record<string, string>> = {
  POST: "PUT",
  info: "warning",
  warning: "info",
  object: "array",
};

/** The flow with one constant of a node changed, including nodes in bodies; and the node's id. */
export function* changedConstants<N extends Node>(
  nodes: readonly N[],
): Generator<{ readonly nodes: N[]; readonly id: string }> {
  for (const [index, item] of nodes.entries()) {
    if (item.disabled === true) continue;
    const { body, ...config } = item.config;
    const isLoop = isJsonObject(body) && Array.isArray(body.nodes);
    for (const other of changed(isLoop ? config : item.config)) {
      const made = { ...(other as JsonObject), ...(isLoop ? { body } : {}) };
      yield { nodes: nodes.with(index, { ...item, config: made }), id: item.id };
    }
    if (!isLoop) continue;
    for (const { nodes: inner, id } of changedConstants(body.nodes as unknown as Node[])) {
      const made = { ...item.config, body: { ...body, nodes: inner as unknown as JsonObject[] } };
      yield { nodes: nodes.with(index, { ...item, config: made }), id };
    }
  }
}

/** Every value that differs from this one in one constant. */
function* changed(value: unknown): Generator<unknown> {
  if (typeof value === "number") yield value + 1;
  else if (typeof value === "string") yield* changedText(value);
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) for (const other of changed(item)) yield value.with(index, other);
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (!unseen.has(key)) for (const other of changed(member)) yield { ...value, [key]: other };
    }
  }
}

const isProgram = (text: string) =>
  /\$(trigger|node|nodes|item|vars)\b|[(['+]|^\d+$/.test(text) && !/^https?:/.test(text);

function* changedText(text: string): Generator<string> {
  if (replacements[text] !== undefined) return yield replacements[text];
  if (!isProgram(text)) return yield `${text}x`;
  for (const found of text.matchAll(/(?<![\w$.'])\d+(?!\w)|'[^']*'/g)) {
    const [constant] = found;
    const other = constant.startsWith("'") ? `${constant.slice(0, -1)}x'` : String(Number(constant) + 1);
    yield text.slice(0, found.index) + other + text.slice(found.index + constant.length);
  }
}
