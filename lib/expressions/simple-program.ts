import { nestingDepth } from "#lib/engine/json.ts";
import { jsonCharacters } from "#lib/engine/json-size.ts";
import { isUnsure, unsure } from "./simple-values.ts";

/** Gives the value of a name of the scope; throws `unsure` for one that is not there. */
export type ReadName = (name: string) => unknown;

/**
 * Work that expressions may make the server do before they are left to the sandbox: about ten nanoseconds a step. Those
 * of one node share it, so that however many they are, nobody else waits for them longer than some tenths of a
 * millisecond.
 */
const stepsMax = 20_000;

/** Bounds on what a program that may grow comes to; what is larger the sandbox makes, which counts memory. */
const resultLimits = { charactersMax: 65_536, depthMax: 100 } as const;

export class Budget {
  /** The clock that expressions read; without one only the sandbox knows what time it is. */
  readonly now: (() => number) | null;
  #left = stepsMax;

  constructor(now: (() => number) | null = null) {
    this.now = now;
  }

  /** Throws `unsure` when there is none left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw unsure;
  }
}

/** One evaluation of a program: what it reads, its parameters and constants, and what it has made so far. */
export class SimpleRun {
  readonly read: ReadName;
  readonly locals: unknown[];
  readonly #budget: Budget;
  #incomplete: object[] | null = null;

  constructor(read: ReadName, localsCount: number, budget: Budget) {
    this.read = read;
    this.locals = localsCount === 0 ? noLocals : new Array(localsCount);
    this.#budget = budget;
  }

  spend(steps: number): void {
    this.#budget.spend(steps);
  }

  /** Milliseconds since 1970. */
  now(): number {
    if (this.#budget.now === null) throw unsure;
    return this.#budget.now();
  }

  /** Pays for looking through a text: a step for `1 << shift` characters. */
  spendOnText(value: unknown, shift: number): void {
    if (typeof value === "string") this.#budget.spend(value.length >> shift);
  }

  /** An array that was made here: what is undefined in it becomes null in the end, as JSON has it. */
  keep<Item>(made: Item[]): Item[] {
    if (made.includes(undefined as Item)) this.incomplete(made);
    return made;
  }

  /** An object that was made here: a name whose value is undefined is left out in the end, as JSON has it. */
  keepObject(made: Record<string, unknown>): Record<string, unknown> {
    for (const key in made) {
      if (made[key] === undefined) {
        this.incomplete(made);
        break;
      }
    }
    return made;
  }

  /** Says that something in what was made here is undefined. Until the end it stays so, as JavaScript has it. */
  incomplete(made: object): void {
    this.#incomplete ??= [];
    this.#incomplete.push(made);
  }

  complete(): void {
    if (this.#incomplete !== null) for (const made of this.#incomplete) withoutUndefined(made);
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

export type Evaluate = (run: SimpleRun) => unknown;

/**
 * An expression that only reads, compares, calculates and puts together JSON data, perhaps for each item of a list: by
 * our own few rules and never as JavaScript, without the sandbox. It throws `unsure` where only the sandbox can tell.
 */
export interface SimpleProgram {
  readonly evaluate: Evaluate;
  /** Parameters of all its functions and its constants together. */
  readonly localsCount: number;
  /** Whether anything in it is called or named, so that there is no telling from its text how large its value may be. */
  readonly mayGrow: boolean;
}

/** What a simple program came to; `unsure`: ask the sandbox, whose word counts. */
export type SimpleValue = { readonly kind: "value"; readonly value: unknown } | { readonly kind: "unsure" };

export function runSimple(program: SimpleProgram, read: ReadName, budget = new Budget()): SimpleValue {
  const run = new SimpleRun(read, program.localsCount, budget);
  try {
    const value = program.evaluate(run);
    if (program.mayGrow && isTooLarge(value)) return { kind: "unsure" };
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
