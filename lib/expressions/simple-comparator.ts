// Comparators of which it is certain that every way to sort gives the same: those that compare one key of the first item
// with the same key of the second, such as `(a, b) => a.at - b.at || a.name.localeCompare(b.name)`. Others, which
// contradict themselves for some items, every engine sorts in its own way.
import type {
  Expression as AnyNode,
  ArrowFunctionExpression,
  AssignmentProperty,
  BinaryExpression,
  ConditionalExpression,
  Property,
} from "acorn";
import { compileComparable } from "./simple-dates.ts";
import { withNames } from "./simple-pattern.ts";
import { type Place, refuse } from "./simple-place.ts";
import type { Evaluate, SimpleRun } from "./simple-program.ts";
import { finite, primitive, unsure } from "./simple-values.ts";

export type Key = string | number;

/** One thing that items are compared by. */
export interface Criterion {
  readonly key: (run: SimpleRun, item: unknown) => Key;
  /** What a key costs, in steps. */
  readonly cost: number;
  readonly isDescending: boolean;
  /** Whether it says so when two are alike; one that does not contradicts itself about them. */
  readonly mayTie: boolean;
}

/** The order of two items, by their keys. */
export function inOrder(one: readonly Key[], other: readonly Key[], by: readonly Criterion[]): number {
  for (let index = 0; index < by.length; index += 1) {
    const first = one[index] as Key;
    const second = other[index] as Key;
    if (first === second) {
      if (by[index]?.mayTie) continue;
      throw unsure;
    }
    const isBefore = first < second;
    return isBefore === by[index]?.isDescending ? 1 : -1;
  }
  return 0;
}

export function compileComparator(node: AnyNode, place: Place): readonly Criterion[] {
  if (node.type !== "ArrowFunctionExpression" || node.async || node.params.length !== 2) return refuse();
  const [one, other] = node.params;
  if (one?.type !== "Identifier" || other?.type !== "Identifier") return refuse();
  const names = [one.name, other.name] as const;
  const { place: inside, locals } = withNames(names, place);
  return criteria(bodyOf(node), { names, place: inside.below(), local: locals[0] ?? 0, second: locals[1] ?? 0 });
}

/** The one expression that a function gives back. */
function bodyOf({ body }: ArrowFunctionExpression): AnyNode {
  if (body.type !== "BlockStatement") return body;
  const [only, more] = body.body;
  return more === undefined && only?.type === "ReturnStatement" && only.argument ? only.argument : refuse();
}

interface Pair {
  readonly names: readonly [string, string];
  readonly place: Place;
  readonly local: number;
  readonly second: number;
}

function criteria(node: AnyNode, pair: Pair): Criterion[] {
  if (node.type === "LogicalExpression" && node.operator === "||") {
    return [...criteria(node.left, pair), ...criteria(node.right, pair)];
  }
  if (node.type === "BinaryExpression" && node.operator === "-") {
    return [{ ...keyed(notPrivate(node), node.right, pair, asNumber), mayTie: true }];
  }
  if (node.type === "ConditionalExpression") return [chosen(node, pair)];
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression" || node.optional) return refuse();
  const { object, property, computed, optional } = node.callee;
  if (computed || optional || property.type !== "Identifier" || property.name !== "localeCompare") return refuse();
  const [other, more] = node.arguments;
  if (object.type === "Super" || other === undefined || other.type === "SpreadElement" || more) return refuse();
  return [{ ...keyed(object, other, pair, asPlainText), mayTie: true }];
}

/** `a.key < b.key ? -1 : 1`, or `a.key < b.key ? -1 : a.key > b.key ? 1 : 0`. */
function chosen({ test, consequent, alternate }: ConditionalExpression, pair: Pair): Criterion {
  const { left, right, isLess } = comparison(test);
  const sign = signOf(consequent);
  const criterion = keyed(left, right, pair, asItIs);
  const isDescending = criterion.isDescending === (isLess === sign < 0);
  const whole = { ...criterion, isDescending };
  if (alternate.type !== "ConditionalExpression") {
    return signOf(alternate) === -sign ? { ...whole, mayTie: false } : refuse();
  }
  const again = comparison(alternate.test);
  compileComparable(again.left, pair.place);
  compileComparable(again.right, pair.place);
  const isSame = shapeOf(again.left) === shapeOf(left) && shapeOf(again.right) === shapeOf(right);
  if (!isSame || again.isLess === isLess || signOf(alternate.consequent) !== -sign) return refuse();
  const { alternate: last } = alternate;
  return last.type === "Literal" && last.value === 0 ? { ...whole, mayTie: true } : refuse();
}

function comparison(node: AnyNode): { left: AnyNode; right: AnyNode; isLess: boolean } {
  if (node.type !== "BinaryExpression" || !["<", ">"].includes(node.operator)) return refuse();
  return { left: notPrivate(node), right: node.right, isLess: node.operator === "<" };
}

function notPrivate({ left }: BinaryExpression): AnyNode {
  return left.type === "PrivateIdentifier" ? refuse() : left;
}

/** Which way a number that is written there points. */
function signOf(node: AnyNode): number {
  if (node.type === "UnaryExpression" && node.operator === "-") return -signOf(node.argument);
  return node.type === "Literal" && typeof node.value === "number" && node.value > 0 ? 1 : refuse();
}

/** The key that both sides are: the same expression, on one side of the first item and on the other of the second. */
function keyed(left: AnyNode, right: AnyNode, { names, place, local, second }: Pair, as: (key: unknown) => Key) {
  // Compiled before they are compared, which is where expressions that are too large are refused.
  const before = place.tally.nodes;
  const ofLeft = compileComparable(left, place);
  const cost = place.tally.nodes - before;
  compileComparable(right, place);
  const [one, other] = names;
  const isAscending = shapeOf(left, one, other) === shapeOf(right, other, one);
  if (!isAscending && shapeOf(left, other, one) !== shapeOf(right, one, other)) return refuse();
  const at = isAscending ? local : second;
  return { key: keyFrom(ofLeft, at, as), cost, isDescending: !isAscending };
}

function keyFrom(evaluate: Evaluate, at: number, as: (key: unknown) => Key): Criterion["key"] {
  return (run, item) => {
    run.locals[at] = item;
    return as(evaluate(run));
  };
}

const asNumber = (key: unknown) => finite(Number(primitive(key)));

const asItIs = (key: unknown) => (typeof key === "string" || typeof key === "number" ? key : leave());

/** The sandbox compares texts by their characters' codes; where they are ASCII it does not compose them first. */
function asPlainText(key: unknown): Key {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too
  return typeof key === "string" && /^[\x00-\x7f]*$/.test(key) ? key : leave();
}

function leave(): never {
  throw unsure;
}

/** An expression as text: alike for two that differ only in where they stand and in the name `own`. */
function shapeOf(node: AnyNode, own = "", others = ""): string {
  return JSON.stringify(node, (key, value: unknown) => {
    if (key === "start" || key === "end") return undefined;
    if (typeof value === "bigint") return refuse();
    if (typeof value !== "object" || value === null || !("type" in value)) return value;
    const part = value as AnyNode | Property | AssignmentProperty;
    if (part.type === "Identifier") return nameIn(part.name, own, others);
    // Names of members are no names of items.
    if (part.type === "MemberExpression" && !part.computed && part.property.type === "Identifier") {
      return { ...part, type: "member", property: `.${part.property.name}` };
    }
    if (part.type === "Property" && !part.computed && part.key.type === "Identifier") {
      return { ...part, type: "property", key: `.${part.key.name}` };
    }
    return value;
  });
}

function nameIn(name: string, own: string, others: string): string {
  return name === others ? `the other, ${name}` : name === own ? "#" : `name ${name}`;
}
