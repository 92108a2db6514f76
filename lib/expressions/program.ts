import { jsonCharacters, nestingDepth } from "#lib/engine/json.ts";
import { isUnsure } from "./values.ts";

/** Gives the value of a name of the scope; throws `unsure` for one that is not there. */
export type ReadName = (name: string) => unknown;

export type Evaluate = (run: Evaluation) => unknown;

/**
 * An expression that only reads, compares, calculates and puts together JSON data, perhaps for each item of a list: by
 * our own few rules and never as JavaScript, without the sandbox. It throws `unsure` where only the sandbox can tell.
 */
export interface Program {
  readonly evaluate: Evaluate;
  /** Parameters of all its functions together. */
  readonly localsCount: number;
  /** How many nodes it has. Each is evaluated once, or once for each item of a list that it can reach. */
  readonly nodes: number;
  /** Whether it looks through lists, objects or texts; without that each node takes what one primitive takes. */
  readonly walks: boolean;
}

/**
 * What the expressions of one node may make the server do, in characters of data that an expression can reach times nodes
 * that it has: some milliseconds at the very most. It is known before any of them is evaluated.
 */
export const workMax = 100_000;

/** What an expression can be said to reach that walks through nothing: a text here and there. */
const reachWithoutWalk = 500;

/** How much of `workMax` a program takes over data of so many characters. */
export function workOf({ nodes, walks }: Program, characters: number): number {
  return nodes * (walks ? characters : Math.min(characters, reachWithoutWalk));
}

/** Bounds on what a program that walks comes to; what is larger the sandbox makes, which counts memory. */
const resultLimits = { charactersMax: 65_536, depthMax: 100 } as const;

/** One evaluation of a program: what it reads, its parameters, and what it has made so far. */
export class Evaluation {
  readonly read: ReadName;
  readonly locals: unknown[];
  #incomplete: object[] | null = null;

  constructor(read: ReadName, localsCount: number) {
    this.read = read;
    this.locals = localsCount === 0 ? noLocals : new Array(localsCount);
  }

  /** An array that was made here: what is undefined in it becomes null in the end, as JSON has it. */
  keep<Item>(made: Item[]): Item[] {
    if (made.includes(undefined as Item)) this.#leaveFor(made);
    return made;
  }

  /** An object that was made here: a name whose value is undefined is left out in the end, as JSON has it. */
  keepObject(made: Record<string, unknown>): Record<string, unknown> {
    for (const key in made) {
      if (made[key] === undefined) {
        this.#leaveFor(made);
        break;
      }
    }
    return made;
  }

  /** Until the end what is undefined stays so, as JavaScript has it. */
  complete(): void {
    if (this.#incomplete !== null) for (const made of this.#incomplete) withoutUndefined(made);
  }

  #leaveFor(made: object): void {
    this.#incomplete ??= [];
    this.#incomplete.push(made);
  }
}

const noLocals: unknown[] = [];

function withoutUndefined(made: object): void {
  for (const [key, value] of Object.entries(made)) {
    if (value !== undefined) continue;
    if (Array.isArray(made)) made[Number(key)] = null;
    else Reflect.deleteProperty(made, key);
  }
}

/** What a program came to; `unsure`: ask the sandbox, whose word counts. */
export type ProgramValue = { readonly kind: "value"; readonly value: unknown } | { readonly kind: "unsure" };

export function runProgram(program: Program, read: ReadName): ProgramValue {
  const run = new Evaluation(read, program.localsCount);
  try {
    const value = program.evaluate(run);
    if (program.walks && isTooLarge(value)) return { kind: "unsure" };
    run.complete();
    return { kind: "value", value };
  } catch (error) {
    if (isUnsure(error)) return { kind: "unsure" };
    throw error;
  }
}

function isTooLarge(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { charactersMax, depthMax } = resultLimits;
  return jsonCharacters(value, charactersMax) > charactersMax || nestingDepth(value, depthMax) > depthMax;
}
