import { formatPath, isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";

/** A setting in a config that nothing reads. */
export interface UnknownSetting {
  readonly path: string;
  readonly name: string;
  /** The most similar known name. */
  readonly nearest: string | null;
  /** All known names at this level. */
  readonly known: readonly string[];
}

type Path = readonly (string | number)[];

const listedMax = 20;
const nameCharactersMax = 64;

/**
 * The names in a config that its JSON Schema does not have, at most twenty. An object that allows any name has none.
 */
export function unknownSettings(schema: JsonObject, config: JsonObject): UnknownSetting[] {
  const found: UnknownSetting[] = [];
  const visit = (at: Json | undefined, value: Json | undefined, path: Path): void => {
    if (!isJsonObject(at) || at.format === "graph") return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (found.length >= listedMax) return;
        visit(at.items, item, [...path, index]);
      }
    }
    if (!isJsonObject(value) || !isJsonObject(at.properties) || isJsonObject(at.additionalProperties)) return;
    const known = Object.keys(at.properties);
    for (const [name, child] of Object.entries(value)) {
      if (found.length >= listedMax) return;
      if (Object.hasOwn(at.properties, name)) visit(at.properties[name], child, [...path, name]);
      else found.push({ path: formatPath([...path, name]), name, nearest: closestName(name, known), known });
    }
  };
  visit(schema, config, []);
  return found;
}

/** The name with the smallest edit distance, if most letters match. */
function closestName(name: string, known: readonly string[]): string | null {
  if (name.length > nameCharactersMax) return null;
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceOf(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(name.length, candidate.length) * 0.6)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate ?? null;
}

/** The Levenshtein distance. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
