// The names that parameters and constants bind, and how they come by their values.
import type { Pattern } from "acorn";
import { type Place, refuse } from "./simple-place.ts";
import type { SimpleRun } from "./simple-program.ts";
import { member, unsure } from "./simple-values.ts";

export type Bind = (run: SimpleRun, value: unknown) => void;

/** Words that are no names where code is strict, as it is in the sandbox; and those that mean something here. */
const reserved = new Set([
  ...["undefined", "eval", "arguments", "let", "static", "yield", "await", "implements", "interface", "package"],
  ...["private", "protected", "public", "NaN", "Infinity", "Math", "Object", "Array", "JSON", "String", "Number"],
  ...["Boolean", "Date", "Set", "parseInt", "parseFloat", "isNaN", "isFinite", "encodeURIComponent"],
  ...["decodeURIComponent", "encodeURI", "decodeURI"],
]);

/** Where these names have values, if they may be names at all. */
export function withNames(names: readonly string[], place: Place, isDate = false): ReturnType<Place["within"]> {
  if (new Set(names).size < names.length || names.some((name) => reserved.has(name) || name.startsWith("$"))) {
    return refuse();
  }
  return place.within(names, isDate);
}

/** `x`, `{ a, b: c }` and `[a, b]`, without defaults and without what is left over. */
export function namesOf(pattern: Pattern): string[] {
  if (pattern.type === "Identifier") return [pattern.name];
  if (pattern.type === "ObjectPattern") {
    // Without a name there is nothing to notice that there is no object.
    if (pattern.properties.length === 0) return refuse();
    return pattern.properties.map((property) =>
      property.type === "Property" && property.value.type === "Identifier" ? property.value.name : refuse(),
    );
  }
  if (pattern.type !== "ArrayPattern") return refuse();
  return pattern.elements.map((element) => (element?.type === "Identifier" ? element.name : refuse()));
}

/** Puts what is in a value where its names are kept. */
export function binding(pattern: Pattern, localOf: ReadonlyMap<string, number>): Bind {
  if (pattern.type === "Identifier") return keepAs(localOf, pattern.name);
  const names = namesOf(pattern);
  const keeps = names.map((name) => keepAs(localOf, name));
  if (pattern.type === "ArrayPattern") {
    return (run, value) => {
      if (!Array.isArray(value)) throw unsure;
      for (const [index, keep] of keeps.entries()) keep(run, value[index]);
    };
  }
  const keys = pattern.type === "ObjectPattern" ? pattern.properties.map(keyOf) : refuse();
  return (run, value) => {
    for (const [index, keep] of keeps.entries()) keep(run, member(value, keys[index]));
  };
}

function keepAs(localOf: ReadonlyMap<string, number>, name: string): Bind {
  const local = localOf.get(name) ?? refuse();
  return (run, value) => {
    run.locals[local] = value;
  };
}

function keyOf(property: Extract<Pattern, { type: "ObjectPattern" }>["properties"][number]): string {
  if (property.type !== "Property" || property.computed) return refuse();
  const { key } = property;
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" && typeof key.value === "string" ? key.value : refuse();
}
