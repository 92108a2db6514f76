// The parts of addresses, written and read as JavaScript does. What would throw is left to the sandbox.
import type { SimpleRun } from "./simple-program.ts";
import { primitive, text, unsure } from "./simple-values.ts";

type Call = (run: SimpleRun, given: readonly unknown[]) => unknown;

const coded =
  (code: (whole: string) => string): Call =>
  (run, given) => {
    if (given.length !== 1) throw unsure;
    const whole = String(primitive(given[0]));
    run.spend(1 + whole.length);
    return text(codedOr(code, whole));
  };

/** Half of a pair of surrogates, and `%` with anything but bytes of UTF-8 after it, are errors. */
function codedOr(code: (whole: string) => string, whole: string): string {
  try {
    return code(whole);
  } catch {
    throw unsure;
  }
}

/** By the names they are called by. */
export const uriFunctions: ReadonlyMap<string, Call> = new Map(
  Object.entries<Call>({
    encodeURIComponent: coded(encodeURIComponent),
    decodeURIComponent: coded(decodeURIComponent),
    encodeURI: coded(encodeURI),
    decodeURI: coded(decodeURI),
  }),
);
