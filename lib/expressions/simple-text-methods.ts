// Methods of texts and numbers, as JavaScript has them; where another version of Unicode could tell otherwise, and where
// patterns would be needed, they are left to the sandbox.
import { places } from "./simple-list-methods.ts";
import type { SimpleRun } from "./simple-program.ts";
import { finite, text, textCharactersMax, unsure } from "./simple-values.ts";

type NumberMethod = (value: number, given: readonly unknown[]) => string;
type TextMethod = (run: SimpleRun, value: string, given: readonly unknown[]) => unknown;

/** Longer texts are not looked for here: how long it takes depends on both. */
const wantedCharactersMax = 64;

export const textMethods: ReadonlyMap<string, TextMethod> = new Map(
  Object.entries<TextMethod>({
    includes: (run, value, given) => value.includes(wanted(run, value, given)),
    startsWith: (run, value, given) => value.startsWith(wanted(run, value, given)),
    endsWith: (run, value, given) => value.endsWith(wanted(run, value, given)),
    indexOf: (run, value, given) => value.indexOf(wanted(run, value, given)),
    slice: (_run, value, given) => value.slice(...places(given, 2)),
    substring: (_run, value, given) => {
      const [start = 0, end] = places(given, 2);
      return value.substring(start, end);
    },
    at: (_run, value, given) => value.at(places(given, 1)[0] ?? 0),
    charAt: (_run, value, given) => value.charAt(places(given, 1)[0] ?? 0),
    charCodeAt: (_run, value, given) => finite(value.charCodeAt(places(given, 1)[0] ?? 0)),
    codePointAt: (_run, value, given) => value.codePointAt(places(given, 1)[0] ?? 0),
    trim: (run, value, given) => plain(run, value, given).trim(),
    trimStart: (run, value, given) => plain(run, value, given).trimStart(),
    trimEnd: (run, value, given) => plain(run, value, given).trimEnd(),
    toUpperCase: (run, value, given) => plain(run, value, given).toUpperCase(),
    toLowerCase: (run, value, given) => plain(run, value, given).toLowerCase(),
    split: (run, value, given) => {
      const separator = wanted(run, value, given);
      const parts = value.split(separator);
      run.spend(parts.length);
      return parts;
    },
    replaceAll: (run, value, given) => {
      const [from, to, more] = given;
      if (typeof to !== "string" || more !== undefined || to.includes("$")) throw unsure;
      const old = wanted(run, value, [from]);
      if (old === "" || (value.length / old.length) * to.length > textCharactersMax) throw unsure;
      return text(value.replaceAll(old, to));
    },
    padStart: (_run, value, given) => padded(given, (length, filling) => value.padStart(length, filling)),
    padEnd: (_run, value, given) => padded(given, (length, filling) => value.padEnd(length, filling)),
    toString: (_run: SimpleRun, value: string, given: readonly unknown[]) => (given.length === 0 ? value : leave()),
  }),
);

export const numberMethods: ReadonlyMap<string, NumberMethod> = new Map(
  Object.entries<NumberMethod>({
    toString: (value: number, given: readonly unknown[]) => (given.length === 0 ? String(value) : leave()),
    toFixed: (value, given) => {
      const [digits = 0] = places(given, 1);
      return digits >= 0 && digits <= 20 && Math.abs(value) < 1e15 ? value.toFixed(digits) : leave();
    },
  }),
);

function leave(): never {
  throw unsure;
}

function wanted(run: SimpleRun, value: string, given: readonly unknown[]): string {
  const [first] = given;
  if (typeof first !== "string" || given.length > 1 || first.length > wantedCharactersMax) throw unsure;
  run.spend(1 + (value.length >> 2));
  return first;
}

/** The text, if all of its characters are ASCII. */
function plain(run: SimpleRun, value: string, given: readonly unknown[]): string {
  run.spend(1 + (value.length >> 2));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too
  return given.length === 0 && /^[\x00-\x7f]*$/.test(value) ? value : leave();
}

function padded(given: readonly unknown[], pad: (length: number, filling: string) => string): string {
  const [length, filling = " ", more] = given;
  if (!Number.isSafeInteger(length) || typeof filling !== "string" || more !== undefined) throw unsure;
  return Number(length) <= 1_000 ? pad(Number(length), filling) : leave();
}
