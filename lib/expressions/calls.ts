import type { Expression as AnyNode, CallExpression, Pattern, SpreadElement } from "acorn";
import { functions, type ItemMethod, itemMethods, listMethods, numberMethods, textMethods } from "./methods.ts";
import { isData, type Place, refuse } from "./place.ts";
import type { Evaluate, Evaluation } from "./program.ts";
import { leave, member, missing } from "./values.ts";

/**
 * A call of a known method of lists, strings or numbers, or of a built-in function. The receiver's type decides at run
 * time; anything else is left to the sandbox.
 */
export function compileCall(node: CallExpression, place: Place): Evaluate {
  const { callee } = node;
  if (node.optional) return refuse();
  if (callee.type === "Identifier") return callOf(callee.name, node, place);
  if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier") return refuse();
  const { object, optional } = callee;
  if (object.type === "Super") return refuse();
  const { name } = callee.property;
  if (object.type === "Identifier" && !object.name.startsWith("$") && !place.parameters?.has(object.name)) {
    return optional ? refuse() : callOf(`${object.name}.${name}`, node, place);
  }
  place.tally.walks = true;
  const of = receiver(place.compile(object), optional);
  const forItems = itemMethods.get(name);
  if (forItems !== undefined) return callForItems(of, forItems, isData(object), node, place);
  return callMethod(of, name, node, place);
}

/** A method's receiver; `missing` if `?.` ends the chain. */
function receiver(of: Evaluate, optional: boolean): Evaluate {
  if (!optional) return of;
  return (run) => of(run) ?? missing;
}

function callOf(name: string, node: CallExpression, place: Place): Evaluate {
  const call = functions.get(name) ?? refuse();
  const given = argumentsOf(node, place);
  const { bounds } = place;
  return (run) => call(given(run), bounds);
}

/** A method that calls a function for each item. */
function callForItems(of: Evaluate, method: ItemMethod, areItems: boolean, node: CallExpression, place: Place) {
  const [first, extra] = node.arguments;
  if (first === undefined || extra !== undefined) return refuse();
  const call = callbackOf(first, place, areItems);
  return (run: Evaluation) => {
    const list = of(run);
    if (list === missing) return missing;
    return Array.isArray(list) ? method(run, list, call) : leave();
  };
}

/** A function in an expression, called with an item and its index. */
export type Callback = (run: Evaluation, item: unknown, index: number) => unknown;

/** An arrow function with an expression body, or a function such as `Boolean` that uses one argument only. */
function callbackOf(node: AnyNode | SpreadElement, place: Place, areItems: boolean): Callback {
  if (node.type === "Identifier") {
    const convert = ["Boolean", "Number", "String"].includes(node.name) ? functions.get(node.name) : undefined;
    const inside = place.inFunction([], areItems).place.bounds;
    return convert === undefined ? refuse() : (_run, item) => convert([item], inside);
  }
  if (node.type !== "ArrowFunctionExpression" || node.async || node.params.length > 2) return refuse();
  if (node.body.type === "BlockStatement") return refuse();
  const names = node.params.flatMap(namesOf);
  if (new Set(names).size < names.length || names.some((name) => reserved.has(name) || name.startsWith("$"))) {
    return refuse();
  }
  const { place: inside, locals } = place.below().inFunction(names, areItems);
  const localOf = new Map(names.map((name, index) => [name, locals[index] ?? refuse()]));
  const [first, second] = node.params.map((parameter) => binding(parameter, localOf));
  const body = inside.compile(node.body);
  return (run, item, index) => {
    first?.(run, item);
    second?.(run, index);
    return body(run);
  };
}

/** Words that are not names of parameters in the sandbox, which is strict, or that have a meaning here. */
const reserved = new Set([
  ...[
    "async",
    "undefined",
    "eval",
    "arguments",
    "let",
    "static",
    "yield",
    "await",
    "implements",
    "interface",
    "package",
  ],
  ...["private", "protected", "public", "NaN", "Infinity", "Math", "Array", "String", "Number", "Boolean"],
]);

/** `x` and `{ a, b: c }`, without defaults and rest patterns. */
function namesOf(pattern: Pattern): string[] {
  if (pattern.type === "Identifier") return [pattern.name];
  // An empty pattern would not notice a missing object.
  if (pattern.type !== "ObjectPattern" || pattern.properties.length === 0) return refuse();
  return pattern.properties.map((property) =>
    property.type === "Property" && property.value.type === "Identifier" ? property.value.name : refuse(),
  );
}

type Bind = (run: Evaluation, value: unknown) => void;

/** Stores parts of a value under the pattern's names. */
function binding(pattern: Pattern, localOf: ReadonlyMap<string, number>): Bind {
  const locals = namesOf(pattern).map((name) => localOf.get(name) ?? refuse());
  if (pattern.type !== "ObjectPattern") {
    const [local] = locals;
    if (local === undefined) return refuse();
    return (run, value) => {
      run.locals[local] = value;
    };
  }
  const keys = pattern.properties.map((property) => {
    if (property.type !== "Property" || property.computed) return refuse();
    const { key } = property;
    if (key.type === "Identifier") return key.name;
    return key.type === "Literal" && typeof key.value === "string" && !/\\/.test(key.raw ?? "") ? key.value : refuse();
  });
  return (run, value) => {
    for (const [index, local] of locals.entries()) run.locals[local] = member(value, keys[index]);
  };
}

function callMethod(of: Evaluate, name: string, node: CallExpression, place: Place): Evaluate {
  const ofList = listMethods.get(name);
  const ofText = textMethods.get(name);
  const ofNumber = numberMethods.get(name);
  if (ofList === undefined && ofText === undefined && ofNumber === undefined) return refuse();
  const given = argumentsOf(node, place);
  const { bounds } = place;
  return (run) => {
    const value = of(run);
    if (value === missing) return missing;
    if (typeof value === "number" && ofNumber !== undefined) return ofNumber(value, given(run));
    if (typeof value === "string" && ofText !== undefined) {
      // A function may search the text once per item.
      return place.parameters !== null && value.length > bounds.text ? leave() : ofText(value, given(run));
    }
    if (!Array.isArray(value) || ofList === undefined || value.length > bounds.list) return leave();
    return ofList(run, value, given(run), bounds);
  };
}

function argumentsOf(node: CallExpression, place: Place): (run: Evaluation) => unknown[] {
  const all = node.arguments.map((argument) => place.compile(argument.type === "SpreadElement" ? refuse() : argument));
  return (run) => all.map((evaluate) => evaluate(run));
}
