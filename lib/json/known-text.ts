import { singleton } from "#lib/platform/singleton.ts";

/** Smaller values are written again: that takes no noticeable time. */
const smallCharacters = 65_536;

const known = () => singleton("known-json-texts", () => new WeakMap<object, string>());

/**
 * Remembers a large value's JSON for as long as the value lives: what nodes pass on unchanged is neither measured nor
 * written once more. Values of runs are never changed in place.
 */
export function rememberText(value: unknown, json: string): void {
  if (json.length > smallCharacters && typeof value === "object" && value !== null) known().set(value, json);
}

/** The JSON of a value, if it was remembered. */
export function knownText(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? known().get(value) : undefined;
}
