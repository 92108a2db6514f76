import type { Expression as AnyNode, BinaryExpression, MemberExpression, Node, Program } from "acorn";
import { compileBody } from "./simple-body.ts";
import { compileCall } from "./simple-calls.ts";
import { compileComparable } from "./simple-dates.ts";
import { compileArray, compileObject, compileTemplate } from "./simple-literals.ts";
import { NotSimple, Place, refuse } from "./simple-place.ts";
import type { Evaluate, SimpleProgram, SimpleRun } from "./simple-program.ts";
import { compileSet } from "./simple-set.ts";
import {
  binaryOperators,
  hasMember,
  member,
  missing,
  type Primitive,
  primitive,
  unaryOperators,
  unsure,
} from "./simple-values.ts";

/** A closure for every node of the tree, an expression or the body of a function; null when one of them is not simple. */
export function compileSimple(root: Node): SimpleProgram | null {
  const tally = { compile, nodes: 0, localsCount: 0, mayGrow: false };
  try {
    const place = new Place(tally);
    const evaluate =
      root.type === "Program" ? compileBody((root as Program).body, place) : compile(root as AnyNode, place);
    return { evaluate, localsCount: tally.localsCount, mayGrow: tally.mayGrow };
  } catch (error) {
    if (error instanceof NotSimple) return null;
    throw error;
  }
}

function compile(node: AnyNode, at: Place): Evaluate {
  const place = at.below();
  const below = (child: AnyNode) => place.compile(child);
  switch (node.type) {
    case "Literal":
      return literal(node.value, node.raw ?? "");
    case "Identifier":
      return identifier(node.name, place);
    case "ParenthesizedExpression":
      return below(node.expression);
    case "ChainExpression":
      return chain(below(node.expression));
    case "MemberExpression":
      return memberOf(node, place);
    case "CallExpression":
      return compileCall(node, place);
    case "UnaryExpression":
      return unary(node.operator, below(node.argument));
    case "BinaryExpression":
      return binary(node, place);
    case "LogicalExpression":
      return logical(node.operator, below(node.left), below(node.right));
    case "ConditionalExpression":
      return conditional(below(node.test), below(node.consequent), below(node.alternate));
    case "TemplateLiteral":
      return compileTemplate(node, place);
    case "ArrayExpression":
      return compileArray(node, place);
    case "ObjectExpression":
      return compileObject(node, place);
    default:
      return refuse();
  }
}

function literal(value: unknown, raw: string): Evaluate {
  if (typeof value === "number" && (!Number.isFinite(value) || /^0\d/.test(raw))) return refuse();
  // The sandbox is strict: to it octal numbers and octal escapes are mistakes.
  if (typeof value === "string" && /\\[0-9]/.test(raw)) return refuse();
  // Regular expressions and big integers are objects and values that JSON has not.
  if (value !== null && !["string", "number", "boolean"].includes(typeof value)) return refuse();
  return () => value;
}

function identifier(name: string, { names }: Place): Evaluate {
  const local = names.get(name);
  // A date that goes anywhere is an object, and before its declaration a name is an error.
  if (local === null || local?.isDate) return refuse();
  if (local !== undefined) return (run) => run.locals[local.at];
  if (name === "undefined") return () => undefined;
  return name.startsWith("$") ? (run) => run.read(name) : refuse();
}

function chain(inner: Evaluate): Evaluate {
  return (run) => {
    const value = inner(run);
    return value === missing ? undefined : value;
  };
}

function memberOf(node: MemberExpression, place: Place): Evaluate {
  if (node.object.type === "Super" || node.property.type === "PrivateIdentifier") return refuse();
  if (node.object.type === "NewExpression") return sizeOf(node.object, node, place);
  const from = place.compile(node.object);
  const { optional } = node;
  const fixed = !node.computed && node.property.type === "Identifier" ? node.property.name : undefined;
  const key: Evaluate = fixed === undefined ? place.compile(node.property) : () => fixed;
  return (run) => {
    const value = from(run);
    if (value === missing) return missing;
    if (value === null || value === undefined) {
      if (optional) return missing;
      throw unsure;
    }
    const name = fixed ?? primitive(key(run));
    if (fixed === undefined) run.spendOnText(name, 3);
    return member(value, name);
  };
}

/** `new Set(list).size`, the only member of what is made with `new`. */
function sizeOf(object: AnyNode, { property, computed, optional }: MemberExpression, place: Place): Evaluate {
  if (computed || optional || property.type !== "Identifier" || property.name !== "size") return refuse();
  const unique = compileSet(object, place) ?? refuse();
  return (run) => unique(run).length;
}

function unary(operator: string, operand: Evaluate): Evaluate {
  const operate = unaryOperators[operator] ?? refuse();
  return (run) => {
    const value = operand(run);
    run.spendOnText(value, 3);
    return operate(value);
  };
}

/** Whether an object is nothing is known without looking at it. */
const comparesWithNothing: Readonly<Record<string, boolean>> = { "===": false, "==": false, "!==": true, "!=": true };

function binary({ operator, left, right }: BinaryExpression, place: Place): Evaluate {
  // What these operators make of a date is its milliseconds.
  const below = ["-", "<", "<=", ">", ">="].includes(operator) ? compileComparable : compileValue;
  const first = left.type === "PrivateIdentifier" ? refuse() : below(left, place);
  const second = below(right, place);
  if (operator === "in") return isIn(first, second);
  const operate = binaryOperators[operator] ?? refuse();
  const withNothing = comparesWithNothing[operator];
  return (run) => {
    const one = first(run);
    const other = second(run);
    if (withNothing !== undefined && isObjectAndNothing(one, other)) return withNothing;
    return onPrimitives(run, operate, primitive(one), primitive(other));
  };
}

const compileValue = (node: AnyNode, place: Place) => place.compile(node);

function isIn(key: Evaluate, of: Evaluate): Evaluate {
  return (run) => {
    const name = primitive(key(run));
    run.spendOnText(name, 3);
    return hasMember(name, of(run));
  };
}

function onPrimitives(run: SimpleRun, operate: (one: Primitive, other: Primitive) => Primitive, ...both: Primitive[]) {
  const [one, other] = both;
  if (typeof one === "string" || typeof other === "string") {
    run.spendOnText(one, 3);
    run.spendOnText(other, 3);
  }
  return operate(one, other);
}

function isObjectAndNothing(one: unknown, other: unknown): boolean {
  if (one === null || one === undefined) return typeof other === "object" && other !== null;
  return (other === null || other === undefined) && typeof one === "object";
}

function logical(operator: string, left: Evaluate, right: Evaluate): Evaluate {
  if (operator === "&&") return (run) => left(run) && right(run);
  if (operator === "||") return (run) => left(run) || right(run);
  return operator === "??" ? (run) => left(run) ?? right(run) : refuse();
}

function conditional(test: Evaluate, yes: Evaluate, no: Evaluate): Evaluate {
  return (run) => (test(run) ? yes(run) : no(run));
}
