// What reads numbers and asks about them, as JavaScript does.
import type { SimpleRun } from "./simple-program.ts";
import { finite, primitive, unsure } from "./simple-values.ts";

type Call = (run: SimpleRun, given: readonly unknown[]) => unknown;

/** Of longer texts JavaScript leaves open how exact the number is. */
const charactersMax = 20;

const parseInteger: Call = (run, given) => {
  const [value, base, more] = given;
  if (more !== undefined || ![undefined, 2, 10, 16].includes(base as number | undefined)) throw unsure;
  const found = Number.parseInt(numeral(run, value), base as number | undefined);
  return Number.isSafeInteger(found) ? finite(found) : leave();
};

const parseNumber: Call = (run, given) => finite(Number.parseFloat(numeral(run, only(given))));

const isNumber =
  (ask: (value: number) => boolean): Call =>
  (run, given) => {
    const value = primitive(only(given));
    run.spendOnText(value, 3);
    return ask(Number(value));
  };

/** By the names they are called by. */
export const numberFunctions: ReadonlyMap<string, Call> = new Map(
  Object.entries<Call>({
    parseInt: parseInteger,
    "Number.parseInt": parseInteger,
    parseFloat: parseNumber,
    "Number.parseFloat": parseNumber,
    isNaN: isNumber(Number.isNaN),
    isFinite: isNumber(Number.isFinite),
    "Number.isNaN": (_run, given) => Number.isNaN(only(given)),
    "Number.isFinite": (_run, given) => Number.isFinite(only(given)),
    "Number.isInteger": (_run, given) => Number.isInteger(only(given)),
    "Number.isSafeInteger": (_run, given) => Number.isSafeInteger(only(given)),
  }),
);

function numeral(run: SimpleRun, value: unknown): string {
  const written = String(primitive(value));
  run.spend(2);
  return written.length <= charactersMax ? written : leave();
}

function only(given: readonly unknown[]): unknown {
  return given.length === 1 ? given[0] : leave();
}

function leave(): never {
  throw unsure;
}
