/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type JsonObject = { [key: string]: Json };

/** A path into a document in the usual notation: `nodes[2].config.url`. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(String(step))) text += text === "" ? String(step) : `.${String(step)}`;
    else text += `[${JSON.stringify(String(step))}]`;
  }
  return text;
}

/** True for a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const [quote, backslash] = ['"'.charCodeAt(0), "\\".charCodeAt(0)];
const [openList, closeList, openObject, closeObject] = [..."[]{}"].map((bracket) => bracket.charCodeAt(0));

/** Levels of nesting in a JSON text, up to `limit + 1`. Reads each character once and allocates nothing. */
export function textDepth(json: string, limit: number): number {
  let [open, deepest] = [0, 0];
  for (let index = 0; index < json.length && deepest <= limit; index += 1) {
    const unit = json.charCodeAt(index);
    if (unit === quote) index = endOfText(json, index);
    else if (unit === openList || unit === openObject) {
      open += 1;
      if (open > deepest) deepest = open;
    } else if (unit === closeList || unit === closeObject) open -= 1;
  }
  return deepest;
}

/** The index of the closing quote of the string that begins at `from`. */
export function endOfText(json: string, from: number): number {
  let at = from + 1;
  for (let unit = json.charCodeAt(at); at < json.length && unit !== quote; unit = json.charCodeAt(at)) {
    at += unit === backslash ? 2 : 1;
  }
  return at;
}

/** Levels of nesting, including the root, up to `limit + 1`. Not recursive: depth must not overflow the stack. */
export function nestingDepth(root: unknown, limit: number): number {
  let level: unknown[] = [root];
  let depth = 0;
  while (level.length > 0 && depth <= limit) {
    depth += 1;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      for (const child of Array.isArray(value) ? value : Object.values(value)) {
        if (typeof child === "object" && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return depth;
}

/**
 * Approximate length of a value as JSON, up to `charactersMax`. Not recursive. A repeated value counts each time, as in the
 * text.
 */
export function jsonCharacters(root: unknown, charactersMax: number): number {
  const pending: unknown[] = [root];
  let count = 0;
  while (pending.length > 0 && count <= charactersMax) {
    const value = pending.pop();
    if (typeof value === "string") count += value.length + 2;
    else if (typeof value !== "object" || value === null) count += 4;
    else if (Array.isArray(value)) {
      count += value.length + 2;
      // A list that is too long is not walked.
      if (count <= charactersMax) for (const item of value) pending.push(item);
    } else {
      for (const key in value) {
        count += key.length + 4;
        if (count > charactersMax) break;
        pending.push((value as Readonly<Record<string, unknown>>)[key]);
      }
    }
  }
  return count;
}
