// JavaScript's built-in methods and functions over JSON data. None changes its receiver, and none produces more than it
// is given. Results that depend on the Unicode version are left to the sandbox.
import type { Callback } from "./calls.ts";
import type { Evaluation } from "./program.ts";
import { type Bounds, brief, finite, joined, leave, type Primitive, primitive } from "./values.ts";

type List = readonly unknown[];
type Arguments = readonly unknown[];
export type ItemMethod = (run: Evaluation, list: List, call: Callback) => unknown;
type ListMethod = (run: Evaluation, list: List, given: Arguments, bounds: Bounds) => unknown;
type TextMethod = (value: string, given: Arguments) => unknown;
type NumberMethod = (value: number, given: Arguments) => string;
type Call = (given: Arguments, bounds: Bounds) => unknown;

/** Methods that call a function for each item. */
export const itemMethods: ReadonlyMap<string, ItemMethod> = new Map(
  Object.entries<ItemMethod>({
    map: (run, list, call) => run.keep(list.map((item, index) => call(run, item, index))),
    filter: (run, list, call) => run.keep(list.filter((item, index) => call(run, item, index))),
    find: (run, list, call) => list.find((item, index) => call(run, item, index)),
    findIndex: (run, list, call) => list.findIndex((item, index) => call(run, item, index)),
    some: (run, list, call) => list.some((item, index) => call(run, item, index)),
    every: (run, list, call) => list.every((item, index) => call(run, item, index)),
  }),
);

export const listMethods: ReadonlyMap<string, ListMethod> = new Map(
  Object.entries<ListMethod>({
    slice: (run, list, given) => {
      const [start, end] = places(given, 2);
      return run.keep(list.slice(start, end));
    },
    at: (_run, list, given) => list.at(places(given, 1)[0] ?? 0),
    join: (_run, list, given, bounds) => {
      const [separator = ",", extra] = given;
      if (typeof separator !== "string" || extra !== undefined) return leave();
      return joined(
        list.map((item) => item ?? ""),
        separator,
        bounds,
      );
    },
    includes: (_run, list, given) => list.includes(wantedItem(given)),
    indexOf: (_run, list, given) => list.indexOf(wantedItem(given)),
  }),
);

/** The value to search a list for. Only primitives: object identity is not known here. */
function wantedItem(given: Arguments): Primitive {
  return given.length === 1 ? primitive(given[0]) : leave();
}

/** Indexes into a list or string: integers, or undefined. */
function places(given: Arguments, max: number): (number | undefined)[] {
  if (given.length > max || !given.every((place) => place === undefined || Number.isSafeInteger(place))) leave();
  return given as (number | undefined)[];
}

export const textMethods: ReadonlyMap<string, TextMethod> = new Map(
  Object.entries<TextMethod>({
    includes: (value, given) => value.includes(wantedText(given)),
    startsWith: (value, given) => value.startsWith(wantedText(given)),
    endsWith: (value, given) => value.endsWith(wantedText(given)),
    indexOf: (value, given) => value.indexOf(wantedText(given)),
    slice: (value, given) => value.slice(...places(given, 2)),
    substring: (value, given) => {
      const [start = 0, end] = places(given, 2);
      return value.substring(start, end);
    },
    at: (value, given) => value.at(places(given, 1)[0] ?? 0),
    charAt: (value, given) => value.charAt(places(given, 1)[0] ?? 0),
    trim: (value, given) => ascii(value, given).trim(),
    trimStart: (value, given) => ascii(value, given).trimStart(),
    trimEnd: (value, given) => ascii(value, given).trimEnd(),
    toUpperCase: (value, given) => ascii(value, given).toUpperCase(),
    toLowerCase: (value, given) => ascii(value, given).toLowerCase(),
    toString: (value: string, given: Arguments) => (given.length === 0 ? value : leave()),
  }),
);

/** Longer texts are not searched for here: the time depends on both lengths. */
const wantedCharactersMax = 64;

function wantedText(given: Arguments): string {
  const [first, extra] = given;
  if (typeof first !== "string" || extra !== undefined || first.length > wantedCharactersMax) return leave();
  return first;
}

/** The text, if it is ASCII only. */
function ascii(value: string, given: Arguments): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too
  return given.length === 0 && /^[\x00-\x7f]*$/.test(value) ? value : leave();
}

export const numberMethods: ReadonlyMap<string, NumberMethod> = new Map(
  Object.entries<NumberMethod>({
    toString: (value: number, given: Arguments) => (given.length === 0 ? String(primitive(value)) : leave()),
    toFixed: (value, given) => {
      const [digits = 0] = places(given, 1);
      return digits >= 0 && digits <= 20 && Math.abs(value) < 1e15 ? value.toFixed(digits) : leave();
    },
  }),
);

const ofNumbers =
  (calculate: (...numbers: number[]) => number, max: number): Call =>
  (given) => {
    if (given.length === 0 || given.length > max || !given.every((value) => typeof value === "number")) return leave();
    return finite(calculate(...(given as number[])));
  };

const ofOne =
  (read: (value: unknown, bounds: Bounds) => unknown): Call =>
  (given, bounds) =>
    given.length === 1 ? read(given[0], bounds) : leave();

/** By full name, such as `Math.max`. */
export const functions: ReadonlyMap<string, Call> = new Map(
  Object.entries<Call>({
    "Math.round": ofNumbers(Math.round, 1),
    "Math.floor": ofNumbers(Math.floor, 1),
    "Math.ceil": ofNumbers(Math.ceil, 1),
    "Math.trunc": ofNumbers(Math.trunc, 1),
    "Math.abs": ofNumbers(Math.abs, 1),
    "Math.min": ofNumbers(Math.min, 100),
    "Math.max": ofNumbers(Math.max, 100),
    "Array.isArray": ofOne((value) => Array.isArray(value)),
    "Number.isInteger": ofOne((value) => Number.isInteger(value)),
    String: ofOne((value, bounds) => String(brief(value, bounds))),
    Number: ofOne((value, bounds) => finite(Number(brief(value, bounds)))),
    // Objects are truthy, whatever they contain.
    Boolean: ofOne((value) => Boolean(value)),
  }),
);
