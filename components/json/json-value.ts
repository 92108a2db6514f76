import { isJsonObject } from "#lib/engine/json.ts";

export type JsonBranchValue = readonly unknown[] | Readonly<Record<string, unknown>>;

export function isBranch(value: unknown): value is JsonBranchValue {
  return Array.isArray(value) || isJsonObject(value);
}

export function childCount(value: JsonBranchValue): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** The first `limit` children, with the names that they are shown by. */
export function children(value: JsonBranchValue, limit: number): { readonly name: string; readonly value: unknown }[] {
  if (Array.isArray(value)) return value.slice(0, limit).map((child, index) => ({ name: String(index), value: child }));
  return Object.entries(value)
    .slice(0, limit)
    .map(([name, child]) => ({ name, value: child }));
}

/** How an expression reaches a child. */
export function childPath(path: string, name: string, ofList: boolean): string {
  if (ofList) return `${path}[${name}]`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

/** What copying a value puts on the clipboard: text as it is, all else as JSON. */
export function copiedText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "null");
}

export function sizeInWords(value: JsonBranchValue): string {
  const count = childCount(value);
  if (Array.isArray(value)) return count === 1 ? "1 item" : `${count} items`;
  return count === 1 ? "1 field" : `${count} fields`;
}
