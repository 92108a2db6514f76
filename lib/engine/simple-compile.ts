import type { Expression as AnyNode, ArrayExpression, BinaryExpression, Node, ObjectExpression } from "acorn";
import { compileCall } from "./simple-calls.ts";
import { NotSimple, Place, refuse } from "./simple-place.ts";
import type { Evaluate, SimpleProgram, SimpleRun } from "./simple-program.ts";
import {
  binaryOperators,
  joined,
  member,
  missing,
  type Primitive,
  plainObject,
  primitive,
  setOwn,
  unaryOperators,
  unsure,
} from "./simple-values.ts";

/** A closure for every node of the tree; null when one of them is not simple. */
export function compileSimple(root: Node): SimpleProgram | null {
  const tally = { compile, nodes: 0, localsCount: 0, calls: false };
  try {
    const evaluate = compile(root as AnyNode, new Place(tally));
    return { evaluate, localsCount: tally.localsCount, calls: tally.calls };
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
      return template(
        node.quasis.map(({ value }) => value.cooked ?? refuse()),
        node.expressions.map(below),
      );
    case "ArrayExpression":
      return array(node, place);
    case "ObjectExpression":
      return object(node, place);
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

function identifier(name: string, { parameters }: Place): Evaluate {
  const local = parameters.get(name);
  if (local !== undefined) return (run) => run.locals[local];
  if (name === "undefined") return () => undefined;
  return name.startsWith("$") ? (run) => run.read(name) : refuse();
}

function chain(inner: Evaluate): Evaluate {
  return (run) => {
    const value = inner(run);
    return value === missing ? undefined : value;
  };
}

function memberOf(node: AnyNode & { type: "MemberExpression" }, place: Place): Evaluate {
  if (node.object.type === "Super" || node.property.type === "PrivateIdentifier") return refuse();
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
  const operate = binaryOperators[operator] ?? refuse();
  const first = left.type === "PrivateIdentifier" ? refuse() : place.compile(left);
  const second = place.compile(right);
  const withNothing = comparesWithNothing[operator];
  return (run) => {
    const one = first(run);
    const other = second(run);
    if (withNothing !== undefined && isObjectAndNothing(one, other)) return withNothing;
    return onPrimitives(run, operate, primitive(one), primitive(other));
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

function template(texts: readonly string[], values: readonly Evaluate[]): Evaluate {
  return (run) => {
    const pieces: Primitive[] = [];
    texts.forEach((text, index) => {
      pieces.push(text);
      const value = values[index];
      if (value !== undefined) pieces.push(primitive(value(run)));
    });
    const whole = joined(pieces);
    run.spendOnText(whole, 3);
    return whole;
  };
}

function array({ elements }: ArrayExpression, place: Place): Evaluate {
  const adds = elements.map((element): ((run: SimpleRun, made: unknown[]) => void) => {
    // A hole is no value, and neither null nor undefined.
    if (element === null) return refuse();
    if (element.type !== "SpreadElement") {
      const item = place.compile(element);
      return (run, made) => made.push(item(run));
    }
    const items = place.compile(element.argument);
    return (run, made) => {
      const list = items(run);
      if (!Array.isArray(list)) throw unsure;
      run.spend(list.length);
      for (const item of list) made.push(item);
    };
  });
  return (run) => {
    const made: unknown[] = [];
    for (const add of adds) add(run, made);
    return run.keep(made);
  };
}

type Fill = (target: Record<string, unknown>, run: SimpleRun) => void;

function object(node: ObjectExpression, place: Place): Evaluate {
  const fills = node.properties.map((property): Fill => {
    if (property.type === "SpreadElement") return spread(place.compile(property.argument));
    const { key, value, computed, kind, method } = property;
    if (method || kind !== "init") return refuse();
    const program = place.compile(value);
    if (computed) {
      const named = place.compile(key);
      return (target, run) => {
        const name = String(primitive(named(run)));
        run.spendOnText(name, 3);
        setOwn(target, name, program(run));
      };
    }
    const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : refuse();
    // `__proto__: value` sets a prototype; nothing that stands for data does.
    if (name === "__proto__") return refuse();
    return (target, run) => setOwn(target, name, program(run));
  });
  return (run) => {
    const made: Record<string, unknown> = {};
    for (const fill of fills) fill(made, run);
    for (const key in made) {
      if (made[key] === undefined) {
        run.incomplete(made);
        break;
      }
    }
    return made;
  };
}

function spread(argument: Evaluate): Fill {
  return (target, run) => {
    const value = argument(run);
    if (value === null || value === undefined) return;
    const entries = Object.entries(plainObject(value));
    run.spend(entries.length);
    for (const [key, own] of entries) setOwn(target, key, own);
  };
}
