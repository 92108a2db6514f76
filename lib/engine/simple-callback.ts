import type { Expression as AnyNode, ArrowFunctionExpression, Pattern } from "acorn";
import { type Place, refuse } from "./simple-place.ts";
import type { SimpleRun } from "./simple-program.ts";
import { member, unsure } from "./simple-values.ts";

/** A function of an expression, called with what its method gives it. */
export type Callback = (run: SimpleRun, first: unknown, second: unknown, third?: unknown) => unknown;

type Bind = (run: SimpleRun, value: unknown) => void;

/** Words that are no names where code is strict, as it is in the sandbox; and those that mean something here. */
const reserved = new Set([
  ...["undefined", "eval", "arguments", "let", "static", "yield", "await", "implements", "interface", "package"],
  ...["private", "protected", "public", "NaN", "Infinity", "Math", "Object", "Array", "JSON", "String", "Number"],
  ...["Boolean", "Date", "Set", "parseInt", "parseFloat", "isNaN", "isFinite", "encodeURIComponent"],
  ...["decodeURIComponent", "encodeURI", "decodeURI"],
]);

/** An arrow function of an expression with at most so many parameters. It does not outlive the call it is given to. */
export function compileCallback(node: AnyNode, place: Place, parametersMax: number): Callback {
  if (node.type !== "ArrowFunctionExpression" || node.async || node.params.length > parametersMax) return refuse();
  const names = node.params.flatMap(namesOf);
  const { place: inside, locals } = withNames(names, place);
  const localOf = new Map(names.map((name, index) => [name, locals[index] ?? refuse()]));
  const [first, second, third] = node.params.map((parameter) => binding(parameter, localOf));
  const before = inside.tally.nodes;
  const body = inside.compile(bodyOf(node));
  const cost = inside.tally.nodes - before + 1;
  return (run, one, two, three) => {
    run.spend(cost);
    first?.(run, one);
    second?.(run, two);
    third?.(run, three);
    return body(run);
  };
}

/** The inside of a function with parameters of these names. */
export function withNames(names: readonly string[], place: Place): ReturnType<Place["within"]> {
  if (new Set(names).size < names.length || names.some((name) => reserved.has(name) || name.startsWith("$"))) {
    return refuse();
  }
  return place.within(names);
}

/** The one expression that a function gives back. */
export function bodyOf({ body }: ArrowFunctionExpression): AnyNode {
  if (body.type !== "BlockStatement") return body;
  const [only, more] = body.body;
  return more === undefined && only?.type === "ReturnStatement" && only.argument ? only.argument : refuse();
}

/** `x`, `{ a, b: c }` and `[a, b]`, without defaults and without what is left over. */
function namesOf(pattern: Pattern): string[] {
  if (pattern.type === "Identifier") return [pattern.name];
  if (pattern.type === "ObjectPattern") {
    return pattern.properties.map((property) =>
      property.type === "Property" && property.value.type === "Identifier" ? property.value.name : refuse(),
    );
  }
  if (pattern.type !== "ArrayPattern") return refuse();
  return pattern.elements.map((element) => (element?.type === "Identifier" ? element.name : refuse()));
}

function binding(pattern: Pattern, localOf: ReadonlyMap<string, number>): Bind {
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
