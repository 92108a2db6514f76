import { textDepth } from "#lib/engine/json.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** Smaller values are serialized again: it takes no noticeable time. */
const smallCharacters = 65_536;

interface Known {
  readonly json: string;
  /** Counted on first use. */
  depth?: number;
}

const known = () => singleton("known-json-texts", () => new WeakMap<object, Known>());

/**
 * Remembers a large value's JSON for as long as the value lives, so that values passed on unchanged are not measured or
 * serialized again. Safe because values of runs are never mutated. `depth`: its levels of nesting, if known.
 */
export function rememberText(value: unknown, json: string, depth?: number): void {
  if (json.length <= smallCharacters || typeof value !== "object" || value === null) return;
  if (known().get(value)?.json !== json) known().set(value, depth === undefined ? { json } : { json, depth });
}

/** The JSON of a value, if it was remembered. */
export function knownText(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? known().get(value)?.json : undefined;
}

/** The nesting depth of a value whose JSON was remembered; the root is the first level. */
export function knownDepth(value: object): number | undefined {
  const found = known().get(value);
  if (found !== undefined) found.depth ??= textDepth(found.json, Number.POSITIVE_INFINITY);
  return found?.depth;
}
