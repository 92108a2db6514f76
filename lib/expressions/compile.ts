import type {
  Expression as AnyNode,
  ArrayExpression,
  BinaryExpression,
  MemberExpression,
  Node,
  ObjectExpression,
  TemplateLiteral,
} from "acorn";
import { compileCall } from "./calls.ts";
import { isData, NotForServer, Place, refuse, rootOf } from "./place.ts";
import type { Evaluate, Evaluation, Program } from "./program.ts";
import {
  type Bounds,
  binaryOperators,
  brief,
  hasMember,
  joined,
  leave,
  member,
  missing,
  plainObject,
  primitive,
  setOwn,
  unaryOperators,
} from "./values.ts";

/** Compiles an expression's tree to closures; null if any node is left to the sandbox. */
export function compileProgram(root: Node): Program | null {
  const tally = { compile, nodes: 0, localsCount: 0, walks: false };
  try {
    const evaluate = compile(root as AnyNode, new Place(tally));
    const { localsCount, nodes, walks } = tally;
    return { evaluate, localsCount, nodes, walks };
  } catch (error) {
    if (error instanceof NotForServer) return null;
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
      return unary(node.operator, below(node.argument), place.bounds);
    case "BinaryExpression":
      return binary(node, place);
    case "LogicalExpression":
      return logical(node.operator, below(node.left), below(node.right));
    case "ConditionalExpression":
      return conditional(below(node.test), below(node.consequent), below(node.alternate));
    case "TemplateLiteral":
      return template(node, place);
    case "ArrayExpression":
      return array(node, place);
    case "ObjectExpression":
      return object(node, place);
    default:
      return refuse();
  }
}

/** The sandbox is strict: it rejects octal numbers and octal escapes. */
const isOctal = (raw: string) => /^0\d|\\[0-9]/.test(raw);

function literal(value: unknown, raw: string): Evaluate {
  if (isOctal(raw) || (typeof value === "number" && !Number.isFinite(value))) return refuse();
  // JSON has no regular expressions or big integers.
  if (value !== null && !["string", "number", "boolean"].includes(typeof value)) return refuse();
  return () => value;
}

function identifier(name: string, { parameters }: Place): Evaluate {
  const local = parameters?.get(name);
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
  const from = place.compile(node.object);
  const { optional } = node;
  const { bounds } = place;
  const fixed = !node.computed && node.property.type === "Identifier" ? node.property.name : undefined;
  const key: Evaluate = fixed === undefined ? place.compile(node.property) : () => fixed;
  return (run) => {
    const value = from(run);
    if (value === missing) return missing;
    if (value === null || value === undefined) return optional ? missing : leave();
    return member(value, fixed ?? brief(key(run), bounds));
  };
}

function unary(operator: string, operand: Evaluate, bounds: Bounds): Evaluate {
  const operate = unaryOperators[operator] ?? refuse();
  return (run) => operate(operand(run), bounds);
}

/** Comparisons with null or undefined: an object's result is known without looking into it. */
const comparesWithNothing: Readonly<Record<string, boolean>> = { "===": false, "==": false, "!==": true, "!=": true };

function binary({ operator, left, right }: BinaryExpression, place: Place): Evaluate {
  const { bounds } = place;
  const first = left.type === "PrivateIdentifier" ? refuse() : place.compile(left);
  const second = place.compile(right);
  if (operator === "in") return (run) => hasMember(brief(first(run), bounds), second(run));
  const operate = binaryOperators[operator] ?? refuse();
  const withNothing = comparesWithNothing[operator];
  return (run) => {
    const left = first(run);
    const right = second(run);
    if (withNothing !== undefined && isObjectAndNothing(left, right)) return withNothing;
    return brief(operate(brief(left, bounds), brief(right, bounds)), bounds);
  };
}

function isObjectAndNothing(left: unknown, right: unknown): boolean {
  if (left === null || left === undefined) return typeof right === "object" && right !== null;
  return (right === null || right === undefined) && typeof left === "object";
}

function logical(operator: string, left: Evaluate, right: Evaluate): Evaluate {
  if (operator === "&&") return (run) => left(run) && right(run);
  if (operator === "||") return (run) => left(run) || right(run);
  return operator === "??" ? (run) => left(run) ?? right(run) : refuse();
}

function conditional(test: Evaluate, yes: Evaluate, no: Evaluate): Evaluate {
  return (run) => (test(run) ? yes(run) : no(run));
}

function template(node: TemplateLiteral, place: Place): Evaluate {
  const { bounds } = place;
  const texts = node.quasis.map(({ value }) => value.cooked ?? refuse());
  const values = node.expressions.map((expression) => place.compile(expression));
  return (run) => {
    const parts = texts.flatMap((text, index) => {
      const value = values[index];
      return value === undefined ? [text] : [text, String(primitive(value(run)))];
    });
    return joined(parts, "", bounds);
  };
}

type Add = (run: Evaluation, made: unknown[]) => void;

function array({ elements }: ArrayExpression, place: Place): Evaluate {
  const adds = elements.map((element): Add => {
    // A hole is neither null nor undefined.
    if (element === null) return refuse();
    if (element.type === "SpreadElement") return spreadItems(element.argument, place);
    const item = place.compile(element);
    return (run, made) => made.push(item(run));
  });
  return (run) => {
    const made: unknown[] = [];
    for (const add of adds) add(run, made);
    return run.keep(made);
  };
}

/** Existing data only: nested spreads would multiply. */
function spreadItems(argument: AnyNode, place: Place): Add {
  if (!isData(argument)) return refuse();
  place.tally.walks = true;
  const items = place.compile(argument);
  const { bounds } = place;
  return (run, made) => {
    const list = items(run);
    if (!Array.isArray(list) || list.length > bounds.list) return leave();
    for (const item of list) made.push(item);
  };
}

type Fill = (target: Record<string, unknown>, run: Evaluation) => void;

function object(node: ObjectExpression, place: Place): Evaluate {
  const fills = node.properties.map((property): Fill => {
    if (property.type === "SpreadElement") return spreadMembers(property.argument, place);
    const { key, value, computed, kind, method } = property;
    if (method || kind !== "init") return refuse();
    const program = place.compile(value);
    if (computed) {
      const named = place.compile(key);
      return (target, run) => setOwn(target, String(brief(named(run), place.bounds)), program(run));
    }
    const isPlain = key.type === "Literal" && !isOctal(key.raw ?? "");
    const name = key.type === "Identifier" ? key.name : isPlain ? String(key.value) : refuse();
    // `__proto__: value` would set a prototype.
    if (name === "__proto__") return refuse();
    return (target, run) => setOwn(target, name, program(run));
  });
  return (run) => {
    const made: Record<string, unknown> = {};
    for (const fill of fills) fill(made, run);
    return run.keepObject(made);
  };
}

/** Inside a function, only its own item may be spread: the number of members is not known before iterating. */
function spreadMembers(argument: AnyNode, place: Place): Fill {
  const { parameters } = place;
  if (!isData(argument)) return refuse();
  if (parameters !== null && parameters.get(rootOf(argument) ?? "")?.isItem !== true) return refuse();
  place.tally.walks = true;
  const members = place.compile(argument);
  return (target, run) => {
    const value = members(run);
    if (value === null || value === undefined) return;
    for (const [key, own] of Object.entries(plainObject(value))) setOwn(target, key, own);
  };
}
