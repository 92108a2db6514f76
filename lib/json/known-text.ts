import { textDepth } from "#lib/engine/json.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** Smaller values are written again: that takes no noticeable time. */
const smallCharacters = 65_536;

interface Known {
  readonly json: string;
  /** Counted when it is first asked for. */
  depth?: number;
}

const known = () => singleton("known-json-texts", () => new WeakMap<object, Known>());

/**
 * Remembers a large value's JSON for as long as the value lives: what nodes pass on unchanged is neither measured nor
 * written once more. Values of runs are never changed in place.
 */
export function rememberText(value: unknown, json: string): void {
  if (json.length <= smallCharacters || typeof value !== "object" || value === null) return;
  if (known().get(value)?.json !== json) known().set(value, { json });
}

/** The JSON of a value, if it was remembered. */
export function knownText(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? known().get(value)?.json : undefined;
}

/** How deep a value is nested, the root being the first level, if its JSON was remembered. */
export function knownDepth(value: object): number | undefined {
  const found = known().get(value);
  if (found !== undefined) found.depth ??= textDepth(found.json, Number.POSITIVE_INFINITY);
  return found?.depth;
}
