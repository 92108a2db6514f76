import { jsonCharacters, nestingDepth } from "#lib/engine/json.ts";
import { isUnsure } from "./values.ts";

/** Returns the value of a name in the scope; throws `unsure` if it does not exist. */
export type ReadName = (name: string) => unknown;

export type Evaluate = (run: Evaluation) => unknown;

/**
 * An expression that only reads, compares, calculates and combines JSON data, perhaps for each item of a list.
 * Interpreted here, without the sandbox, and never run as JavaScript. Throws `unsure` if only the sandbox can tell.
 */
export interface Program {
  readonly evaluate: Evaluate;
  /** The parameters of all its functions together. */
  readonly localsCount: number;
  /** Its number of nodes. Each is evaluated once, or once per item of a list within reach. */
  readonly nodes: number;
  /** Whether it iterates over lists, objects or texts; otherwise each node costs no more than one primitive. */
  readonly walks: boolean;
}

/**
 * The work that the expressions of one node may cause in the server: characters of data within reach times nodes of the
 * expression, a few milliseconds at worst. Known before any of them is evaluated.
 */
export const workMax = 100_000;

/** Characters that an expression without iteration is assumed to reach. */
const reachWithoutWalk = 500;

/** How much of `workMax` a program uses over data of this length. */
export function workOf({ nodes, walks }: Program, characters: number): number {
  return nodes * (walks ? characters : Math.min(characters, reachWithoutWalk));
}

/** Limits on the result of a program that iterates; larger results are left to the sandbox, which limits memory. */
const resultLimits = { charactersMax: 65_536, depthMax: 100 } as const;

/** One evaluation of a program: what it reads, its parameters, and what it has created so far. */
export class Evaluation {
  readonly read: ReadName;
  readonly locals: unknown[];
  #incomplete: object[] | null = null;

  constructor(read: ReadName, localsCount: number) {
    this.read = read;
    this.locals = localsCount === 0 ? noLocals : new Array(localsCount);
  }

  /** An array created here: undefined items become null at the end, as in JSON. */
  keep<Item>(made: Item[]): Item[] {
    if (made.includes(undefined as Item)) this.#leaveFor(made);
    return made;
  }

  /** An object created here: names with an undefined value are dropped at the end, as in JSON. */
  keepObject(made: Record<string, unknown>): Record<string, unknown> {
    for (const key in made) {
      if (made[key] === undefined) {
        this.#leaveFor(made);
        break;
      }
    }
    return made;
  }

  /** Until the end, undefined stays undefined, as in JavaScript. */
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

/** A program's result; `unsure`: the sandbox's result counts. */
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
