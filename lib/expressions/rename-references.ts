import { type Node, Parser } from "acorn";
import type { Json } from "#lib/engine/json.ts";
import { quotedId } from "#lib/engine/node-reference.ts";
import { ExpressionSyntaxError, readExpression } from "./read-expression.ts";
import type { Tree } from "./tree.ts";

/** New node ids by their old ones. */
export type Renames = Pick<ReadonlyMap<string, string>, "get" | "has" | "size">;

/**
 * Rewrites `$nodes['old']` and `$nodes.old` wherever an expression of a config reads them. They are found by parsing,
 * so text that only looks like a reference is left alone, as are expressions that cannot be parsed. `isProgram` says,
 * by field name, which strings are whole programs rather than text with `{{ … }}`.
 */
export function renameReferences(value: Json, renames: Renames, isProgram: (field: string) => boolean): Json {
  if (renames.size === 0) return value;
  const visit = (item: Json, field: string): Json => {
    if (typeof item === "string")
      return isProgram(field) ? renameInProgramField(item, renames) : renameInText(item, renames);
    if (Array.isArray(item)) return item.map((child) => visit(child, field));
    if (item === null || typeof item !== "object") return item;
    return Object.fromEntries(Object.entries(item).map(([key, child]) => [key, visit(child, key)]));
  };
  return visit(value, "");
}

/** The ids of the nodes that a config reads as `$nodes['id']` or `$nodes.id`, found in the same way. */
export function nodesReadBy(value: Json, isProgram: (field: string) => boolean): ReadonlySet<string> {
  const ids = new Set<string>();
  const noting: Renames = { size: 1, has: () => false, get: (id) => void ids.add(id) };
  renameReferences(value, noting, isProgram);
  return ids;
}

function renameInProgramField(text: string, renames: Renames): string {
  if (text.trimStart().startsWith("{{")) return renameInText(text, renames);
  return renameInSource(text, renames) ?? renameInText(text, renames);
}

/** Text with expressions between `{{` and `}}`. */
function renameInText(text: string, renames: Renames): string {
  let result = "";
  let at = 0;
  for (let open = text.indexOf("{{"); open !== -1; open = text.indexOf("{{", at)) {
    const end = text[open - 1] === "\\" ? open + 2 : endOfExpression(text, open + 2);
    result += text.slice(at, open + 2);
    const source = text.slice(open + 2, end);
    result += renameInSource(source, renames) ?? source;
    at = Math.max(end, open + 2);
  }
  return result + text.slice(at);
}

function endOfExpression(text: string, from: number): number {
  try {
    return readExpression(text, from).end;
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return from;
    throw error;
  }
}

/** Null if the source cannot be parsed. */
function renameInSource(source: string, renames: Renames): string | null {
  let tree: Node;
  try {
    tree = Parser.parse(`(${source}\n)`, { ecmaVersion: 2024 });
    return applyEdits(source, findReferences(tree, renames, 1));
  } catch {
    // Not an expression: try it as a function body.
  }
  try {
    tree = Parser.parse(source, { ecmaVersion: 2024, allowReturnOutsideFunction: true });
    return applyEdits(source, findReferences(tree, renames, 0));
  } catch {
    return null;
  }
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function findReferences(root: Node, renames: Renames, shift: number): Edit[] {
  const edits: Edit[] = [];
  const stack: unknown[] = [root];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (typeof item !== "object" || item === null) continue;
    for (const child of Array.isArray(item) ? item : Object.values(item)) if (child !== undefined) stack.push(child);
    const { type, object, property, computed } = item as Partial<Tree>;
    if (type !== "MemberExpression" || object?.name !== "$nodes" || property === undefined) continue;
    const id = renames.get(String(computed ? property.value : property.name));
    if (id === undefined || (computed && typeof property.value !== "string")) continue;
    const text = quotedId(id);
    if (computed) edits.push({ start: property.start - shift, end: property.end - shift, text });
    else edits.push({ start: object.end - shift, end: property.end - shift, text: `[${text}]` });
  }
  return edits.sort((a, b) => a.start - b.start);
}

/** In one pass: a body may have tens of thousands of references. */
function applyEdits(source: string, edits: readonly Edit[]): string {
  let [text, at] = ["", 0];
  for (const { start, end, text: put } of edits) {
    text += source.slice(at, start) + put;
    at = end;
  }
  return text + source.slice(at);
}
