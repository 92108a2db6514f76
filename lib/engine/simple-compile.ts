import type { Expression as AnyNode, Node, ObjectExpression, SpreadElement } from "acorn";
import type { ReadName, SimpleProgram } from "./simple-program.ts";
import { binaryOperators, joined, member, primitive, setOwn, unaryOperators, unsure } from "./simple-values.ts";

/** Bounds on what is evaluated in the server itself; larger expressions go to the sandbox. */
const limits = { nodesMax: 200, depthMax: 30 } as const;

/** What `?.` found missing: nothing further of its chain is evaluated. */
const missing = Symbol("missing");

/** Thrown at an expression that is not simple; never leaves this file. */
class NotSimple extends Error {}
const notSimple = new NotSimple("not a simple expression");

/** A closure for every node of the tree; null when one of them is not simple. */
export function compileSimple(root: Node): SimpleProgram | null {
  let nodes = 0;
  const count = () => {
    nodes += 1;
    if (nodes > limits.nodesMax) throw notSimple;
  };
  try {
    return compile(root as AnyNode, 0, count);
  } catch (error) {
    if (error === notSimple) return null;
    throw error;
  }
}

type Compile = (node: AnyNode) => SimpleProgram;

function compile(node: AnyNode, depth: number, count: () => void): SimpleProgram {
  count();
  if (depth > limits.depthMax) throw notSimple;
  const below: Compile = (child) => compile(child, depth + 1, count);
  switch (node.type) {
    case "Literal":
      return literal(node.value);
    case "Identifier":
      return identifier(node.name);
    case "ParenthesizedExpression":
      return below(node.expression);
    case "ChainExpression":
      return chain(below(node.expression));
    case "MemberExpression":
      return memberOf(node, below);
    case "UnaryExpression":
      return unary(unaryOperators[node.operator], below(node.argument));
    case "BinaryExpression":
      return node.left.type === "PrivateIdentifier"
        ? refuse()
        : binary(binaryOperators[node.operator], below(node.left), below(node.right));
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
      return array(node.elements, below);
    case "ObjectExpression":
      return object(node, below);
    default:
      return refuse();
  }
}

function refuse(): never {
  throw notSimple;
}

function literal(value: unknown): SimpleProgram {
  if (typeof value === "number" && !Number.isFinite(value)) return refuse();
  // Regular expressions and big integers are objects and values that JSON has not.
  if (value !== null && !["string", "number", "boolean"].includes(typeof value)) return refuse();
  return () => value;
}

function identifier(name: string): SimpleProgram {
  if (name === "undefined") return () => undefined;
  return name.startsWith("$") ? (read) => read(name) : refuse();
}

function chain(inner: SimpleProgram): SimpleProgram {
  return (read) => {
    const value = inner(read);
    return value === missing ? undefined : value;
  };
}

function memberOf(node: AnyNode & { type: "MemberExpression" }, below: Compile): SimpleProgram {
  // Members of literals are left to the sandbox: what is put together here is only looked at as a whole.
  if (!["Identifier", "MemberExpression"].includes(node.object.type) || node.object.type === "Super") return refuse();
  if (node.property.type === "PrivateIdentifier") return refuse();
  const from = below(node.object);
  const fixed = !node.computed && node.property.type === "Identifier" ? node.property.name : undefined;
  const key: SimpleProgram = fixed === undefined ? below(node.property) : () => fixed;
  const { optional } = node;
  return (read) => {
    const value = from(read);
    if (value === missing) return missing;
    if (value === null || value === undefined) {
      if (optional) return missing;
      throw unsure;
    }
    return member(value, primitive(key(read)));
  };
}

function unary(operate: (typeof unaryOperators)[string] | undefined, operand: SimpleProgram): SimpleProgram {
  if (operate === undefined) return refuse();
  return (read) => operate(primitive(operand(read)));
}

function binary(
  operate: (typeof binaryOperators)[string] | undefined,
  left: SimpleProgram,
  right: SimpleProgram,
): SimpleProgram {
  if (operate === undefined) return refuse();
  return (read) => operate(primitive(left(read)), primitive(right(read)));
}

function logical(operator: string, left: SimpleProgram, right: SimpleProgram): SimpleProgram {
  if (operator === "&&") return (read) => left(read) && right(read);
  if (operator === "||") return (read) => left(read) || right(read);
  return operator === "??" ? (read) => left(read) ?? right(read) : refuse();
}

function conditional(test: SimpleProgram, yes: SimpleProgram, no: SimpleProgram): SimpleProgram {
  return (read) => (test(read) ? yes(read) : no(read));
}

function template(texts: readonly string[], values: readonly SimpleProgram[]): SimpleProgram {
  return (read) =>
    joined(texts.flatMap((text, index) => [text, ...values.slice(index, index + 1).map((v) => primitive(v(read)))]));
}

function array(elements: readonly (AnyNode | SpreadElement | null)[], below: Compile): SimpleProgram {
  const items = elements.map((element) =>
    // A hole, and what is spread, would need an iterator's rules.
    element === null || element.type === "SpreadElement" ? refuse() : below(element),
  );
  // As JSON has it: what is undefined is null.
  return (read) => items.map((item) => item(read) ?? null);
}

type Fill = (target: Record<string, unknown>, read: ReadName) => void;

function object(node: ObjectExpression, below: Compile): SimpleProgram {
  const fills = node.properties.map((property): Fill => {
    if (property.type === "SpreadElement") return spread(property, below);
    const { key, value, computed, kind, method } = property;
    if (computed || method || kind !== "init") return refuse();
    const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : refuse();
    // `__proto__: value` sets a prototype; nothing that stands for data does.
    if (name === "__proto__") return refuse();
    const program = below(value);
    return (target, read) => setOwn(target, name, program(read));
  });
  return (read) => {
    const made: Record<string, unknown> = {};
    for (const fill of fills) fill(made, read);
    // As JSON has it: what is undefined is not there.
    for (const key of Object.keys(made)) if (made[key] === undefined) delete made[key];
    return made;
  };
}

function spread({ argument }: SpreadElement, below: Compile): Fill {
  // What is spread is data that is there already: a literal could hold what JSON has not.
  if (!["Identifier", "MemberExpression", "ChainExpression"].includes(argument.type)) return refuse();
  const program = below(argument);
  return (target, read) => {
    const value = program(read);
    if (value === null || value === undefined) return;
    if (typeof value !== "object" || Array.isArray(value)) throw unsure;
    for (const [key, own] of Object.entries(value)) setOwn(target, key, own);
  };
}
