// Functions that JavaScript has itself, over JSON data.
import { jsonCharacters } from "#lib/engine/json-size.ts";
import { readJson } from "./simple-json.ts";
import { numberFunctions } from "./simple-number-functions.ts";
import type { SimpleRun } from "./simple-program.ts";
import { uriFunctions } from "./simple-uri.ts";
import {
  finite,
  type Primitive,
  plainObject,
  power,
  primitive,
  setOwn,
  text,
  textCharactersMax,
  unsure,
} from "./simple-values.ts";

type Call = (run: SimpleRun, given: readonly unknown[]) => unknown;

const ofNumbers =
  (calculate: (...numbers: number[]) => number, most: number): Call =>
  (run, given) => {
    run.spend(given.length);
    if (given.length === 0 || given.length > most || !given.every((value) => typeof value === "number")) throw unsure;
    return finite(calculate(...given));
  };

const ofKeys =
  (list: (value: Record<string, unknown>) => unknown[]): Call =>
  (run, given) => {
    const found = list(plainObject(only(given)));
    run.spend(found.length);
    return run.keep(found);
  };

/** More numbers than these are not compared at once. */
const numbersMax = 1_000;

/** By the names they are called by, such as `Math.max`. */
export const plainFunctions: ReadonlyMap<string, Call> = new Map([
  ...numberFunctions,
  ...uriFunctions,
  ...Object.entries<Call>({
    "Math.round": ofNumbers(Math.round, 1),
    "Math.floor": ofNumbers(Math.floor, 1),
    "Math.ceil": ofNumbers(Math.ceil, 1),
    "Math.trunc": ofNumbers(Math.trunc, 1),
    "Math.abs": ofNumbers(Math.abs, 1),
    "Math.sign": ofNumbers(Math.sign, 1),
    "Math.sqrt": ofNumbers(Math.sqrt, 1),
    "Math.pow": (_run, given) => (given.length === 2 ? power(primitive(given[0]), primitive(given[1])) : leave()),
    "Math.min": ofNumbers(Math.min, numbersMax),
    "Math.max": ofNumbers(Math.max, numbersMax),
    "Object.keys": ofKeys(Object.keys),
    "Object.values": ofKeys(Object.values),
    "Object.entries": ofKeys((value) =>
      Object.entries(value).map(([key, own]) => (own === undefined ? leave() : [key, own])),
    ),
    "Object.fromEntries": (run, given) => {
      const list = only(given);
      if (!Array.isArray(list)) throw unsure;
      const made: Record<string, unknown> = {};
      for (const entry of list) {
        if (!Array.isArray(entry) || entry[1] === undefined) throw unsure;
        const key = String(primitive(entry[0]));
        run.spend(1 + (key.length >> 3));
        setOwn(made, key, entry[1]);
      }
      return made;
    },
    "Array.isArray": (_run, given) => Array.isArray(only(given)),
    "JSON.parse": (run, given) => readJson(run, only(given)),
    "JSON.stringify": (run, given) => {
      const value = only(given);
      // What holds a list twice, which holds another twice, and so on, is small until it is written.
      if (jsonCharacters(value, textCharactersMax) > textCharactersMax) throw unsure;
      const json = written(value);
      run.spendOnText(json, 2);
      return json === undefined ? undefined : text(json);
    },
  }),
]);

const converted =
  (convertOne: (value: Primitive) => Primitive): Call =>
  (run, given) => {
    const value = primitive(only(given));
    run.spendOnText(value, 3);
    return convertOne(value);
  };

/** What makes text, numbers and truth of a value. */
export const convert: ReadonlyMap<string, Call> = new Map(
  Object.entries<Call>({
    String: converted(String),
    Number: converted((value) => finite(Number(value))),
    // An object is true whatever is in it.
    Boolean: (_run, given) => Boolean(only(given)),
  }),
);

/** JSON; what is nested deeper than the stack is left to the sandbox. */
function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return leave();
  }
}

function only(given: readonly unknown[]): unknown {
  if (given.length !== 1) throw unsure;
  return given[0];
}

function leave(): never {
  throw unsure;
}
