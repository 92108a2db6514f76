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
  /** Whether anything is called, or named so that it can be used again and again. */
  mayGrow: boolean;
}

/** What a name stands for: where a run keeps its value, or of a date its milliseconds. */
export interface Local {
  readonly at: number;
  readonly isDate: boolean;
}

/** Where in an expression the compiler stands. */
export class Place {
  readonly tally: Tally;
  /** Parameters and constants around it; null for one that is declared further down. */
  readonly names: ReadonlyMap<string, Local | null>;
  readonly #depth: number;

  constructor(tally: Tally, names: ReadonlyMap<string, Local | null> = new Map(), depth = 0) {
    this.tally = tally;
    this.names = names;
    this.#depth = depth;
  }

  compile(node: AnyNode): Evaluate {
    return this.tally.compile(node, this);
  }

  /** Counts a node, and gives the place of what is in it. */
  below(): Place {
    this.tally.nodes += 1;
    if (this.tally.nodes > limits.nodesMax || this.#depth > limits.depthMax) return refuse();
    return new Place(this.tally, this.names, this.#depth + 1);
  }

  /** Where these names have values too. */
  within(names: readonly string[], isDate = false): { place: Place; locals: readonly number[] } {
    const all = new Map(this.names);
    const locals = names.map((name) => {
      const at = this.tally.localsCount;
      this.tally.localsCount += 1;
      all.set(name, { at, isDate });
      return at;
    });
    return { place: new Place(this.tally, all, this.#depth), locals };
  }

  /** Where these names are declared, but have no values yet. */
  before(names: readonly string[]): Place {
    return new Place(this.tally, new Map([...this.names, ...names.map((name) => [name, null] as const)]), this.#depth);
  }
}
