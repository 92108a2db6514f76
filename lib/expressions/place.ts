import type { Expression as AnyNode } from "acorn";
import type { Evaluate } from "./program.ts";
import { type Bounds, bounds, boundsOfCalls } from "./values.ts";

/** Limits on what the server evaluates itself; larger expressions go to the sandbox. */
const limits = { nodesMax: 200, depthMax: 30 } as const;

/** Thrown for an expression that the server does not evaluate; never leaves the compiler. */
export class NotForServer extends Error {}
const notForServer = new NotForServer("only the sandbox evaluates this");

export function refuse(): never {
  throw notForServer;
}

/** Shared by the whole expression. */
interface Tally {
  readonly compile: (node: AnyNode, place: Place) => Evaluate;
  nodes: number;
  localsCount: number;
  walks: boolean;
}

/**
 * A parameter: where an evaluation keeps its value, and whether the value is a part of data that no other item shares.
 */
interface Local {
  readonly at: number;
  readonly isItem: boolean;
}

/** The compiler's position in an expression. */
export class Place {
  readonly tally: Tally;
  /** The parameters of the enclosing function; null outside of one. */
  readonly parameters: ReadonlyMap<string, Local> | null;
  readonly #depth: number;

  constructor(tally: Tally, parameters: ReadonlyMap<string, Local> | null = null, depth = 0) {
    this.tally = tally;
    this.parameters = parameters;
    this.#depth = depth;
  }

  /** Size limits at this position. */
  get bounds(): Bounds {
    return this.parameters === null ? bounds : boundsOfCalls;
  }

  compile(node: AnyNode): Evaluate {
    return this.tally.compile(node, this);
  }

  /** Counts a node and returns the place of its children. */
  below(): Place {
    this.tally.nodes += 1;
    if (this.tally.nodes > limits.nodesMax || this.#depth > limits.depthMax) return refuse();
    return new Place(this.tally, this.parameters, this.#depth + 1);
  }

  /**
   * The body of a function with these parameters. Functions do not nest: the inner one would be called for every pair.
   */
  inFunction(names: readonly string[], areItems: boolean): { place: Place; locals: readonly number[] } {
    if (this.parameters !== null) return refuse();
    const locals = names.map((_, index) => this.tally.localsCount + index);
    this.tally.localsCount += names.length;
    const parameters = new Map(names.map((name, index) => [name, { at: locals[index] ?? 0, isItem: areItems }]));
    return { place: new Place(this.tally, parameters, this.#depth), locals };
  }
}

/** Whether an expression only refers to existing data, so that it cannot multiply. */
export function isData(node: AnyNode): boolean {
  switch (node.type) {
    case "Identifier":
      return true;
    case "MemberExpression":
      return node.object.type !== "Super" && isData(node.object);
    case "ChainExpression":
    case "ParenthesizedExpression":
      return isData(node.expression);
    case "LogicalExpression":
      return node.operator === "??" && isData(node.left) && isEmpty(node.right);
    case "CallExpression": {
      // Methods that only remove items.
      const { callee } = node;
      if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier") return false;
      return (
        ["filter", "slice"].includes(callee.property.name) && callee.object.type !== "Super" && isData(callee.object)
      );
    }
    default:
      return false;
  }
}

function isEmpty(node: AnyNode): boolean {
  if (node.type === "ArrayExpression") return node.elements.length === 0;
  return node.type === "ObjectExpression" && node.properties.length === 0;
}

/** The name that a reference to data begins with. */
export function rootOf(node: AnyNode): string | null {
  if (node.type === "Identifier") return node.name;
  if (node.type === "MemberExpression") return node.object.type === "Super" ? null : rootOf(node.object);
  return node.type === "ChainExpression" || node.type === "ParenthesizedExpression" ? rootOf(node.expression) : null;
}
