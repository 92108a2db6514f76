import type { Expression as AnyNode } from "acorn";
import type { Evaluate } from "./simple-program.ts";

/** Bounds on what is evaluated in the server itself; larger expressions go to the sandbox. */
const limits = { nodesMax: 200, depthMax: 30 } as const;

/** Thrown at an expression that is not simple; never leaves the compiler. */
export class NotSimple extends Error {}
const notSimple = new NotSimple("not a simple expression");

export function refuse(): never {
  throw notSimple;
}

/** What the whole of an expression has in common. */
interface Tally {
  readonly compile: (node: AnyNode, place: Place) => Evaluate;
  nodes: number;
  localsCount: number;
  /** Whether anything is called. */
  calls: boolean;
}

/** Where in an expression the compiler stands. */
export class Place {
  readonly tally: Tally;
  /** The parameters of the functions around it, by name: where a run keeps their values. */
  readonly parameters: ReadonlyMap<string, number>;
  readonly #depth: number;

  constructor(tally: Tally, parameters: ReadonlyMap<string, number> = new Map(), depth = 0) {
    this.tally = tally;
    this.parameters = parameters;
    this.#depth = depth;
  }

  compile(node: AnyNode): Evaluate {
    return this.tally.compile(node, this);
  }

  /** Counts a node, and gives the place of what is in it. */
  below(): Place {
    this.tally.nodes += 1;
    if (this.tally.nodes > limits.nodesMax || this.#depth > limits.depthMax) return refuse();
    return new Place(this.tally, this.parameters, this.#depth + 1);
  }

  /** The inside of a function that has these parameters too. */
  within(names: readonly string[]): { place: Place; locals: readonly number[] } {
    const parameters = new Map(this.parameters);
    const locals = names.map((name) => {
      const local = this.tally.localsCount;
      this.tally.localsCount += 1;
      parameters.set(name, local);
      return local;
    });
    return { place: new Place(this.tally, parameters, this.#depth), locals };
  }
}
