// Methods of lists, as JavaScript has them. None changes the list that it is called on: that is data of others.
import type { Callback } from "./simple-callback.ts";
import type { Evaluate, SimpleRun } from "./simple-program.ts";
import { primitive, text, unsure } from "./simple-values.ts";

type List = readonly unknown[];
export type ItemMethod = (run: SimpleRun, list: List, call: Callback, begin: Evaluate | null) => unknown;
type ListMethod = (run: SimpleRun, list: List, given: readonly unknown[]) => unknown;

/** Those that call a function for each item. */
export const itemMethods: ReadonlyMap<string, ItemMethod> = new Map(
  Object.entries<ItemMethod>({
    map: (run, list, call) => run.keep(list.map((item, index) => call(run, item, index))),
    filter: (run, list, call) => run.keep(list.filter((item, index) => call(run, item, index))),
    find: (run, list, call) => list.find((item, index) => call(run, item, index)),
    findIndex: (run, list, call) => list.findIndex((item, index) => call(run, item, index)),
    findLast: (run, list, call) => list.findLast((item, index) => call(run, item, index)),
    some: (run, list, call) => list.some((item, index) => call(run, item, index)),
    every: (run, list, call) => list.every((item, index) => call(run, item, index)),
    flatMap: (run, list, call) => {
      const made: unknown[] = [];
      for (const [index, item] of list.entries()) addFlat(run, made, call(run, item, index));
      return run.keep(made);
    },
    reduce: (run, list, call, begin) => {
      if (begin !== null) return list.reduce((so, item, index) => call(run, so, item, index), begin(run));
      if (list.length === 0) throw unsure;
      return list.reduce((so, item, index) => call(run, so, item, index));
    },
  }),
);

export const listMethods: ReadonlyMap<string, ListMethod> = new Map(
  Object.entries<ListMethod>({
    slice: (run, list, given) => {
      const [start, end] = places(given, 2);
      const made = list.slice(start, end);
      run.spend(made.length);
      return run.keep(made);
    },
    at: (_run, list, given) => {
      const [place] = places(given, 1);
      return list.at(place ?? 0);
    },
    concat: (run, list, given) => {
      const made: unknown[] = [];
      for (const part of [list, ...given]) addFlat(run, made, part);
      return run.keep(made);
    },
    flat: (run, list, given) => {
      if (given.length > 0) throw unsure;
      const made: unknown[] = [];
      for (const item of list) addFlat(run, made, item);
      return run.keep(made);
    },
    toReversed: (run, list, given) => {
      if (given.length > 0) throw unsure;
      run.spend(list.length);
      return run.keep(list.toReversed());
    },
    join: (run, list, given) => {
      const separator = given.length === 0 ? "," : given[0];
      if (typeof separator !== "string" || given.length > 1) throw unsure;
      let whole = "";
      list.forEach((item, index) => {
        const written = item === null || item === undefined ? "" : String(primitive(item));
        run.spend(1 + (written.length >> 3));
        whole = text(index === 0 ? written : whole + separator + written);
      });
      return whole;
    },
    includes: (run, list, given) => list.includes(wanted(run, list, given)),
    indexOf: (run, list, given) => list.indexOf(wanted(run, list, given)),
  }),
);

/** What is looked for in a list; whether objects are the same is not known here. */
function wanted(run: SimpleRun, list: List, given: readonly unknown[]): unknown {
  if (given.length !== 1) throw unsure;
  const value = primitive(given[0]);
  run.spend(list.length * (1 + (typeof value === "string" ? value.length >> 3 : 0)));
  return value;
}

function addFlat(run: SimpleRun, made: unknown[], part: unknown): void {
  if (!Array.isArray(part)) {
    run.spend(1);
    made.push(part);
    return;
  }
  run.spend(part.length);
  for (const item of part) made.push(item);
}

/** Places in a list or text: whole numbers, or nothing. */
export function places(given: readonly unknown[], most: number): (number | undefined)[] {
  if (given.length > most || !given.every((place) => place === undefined || Number.isSafeInteger(place))) throw unsure;
  return given as (number | undefined)[];
}
