import { isUnsure } from "./simple-values.ts";

/** Gives the value of a name of the scope; throws `unsure` for one that is not there. */
export type ReadName = (name: string) => unknown;

/**
 * An expression that only reads, compares, calculates and puts together JSON data: no calls, no functions, no
 * assignments, nothing that could loop. It is evaluated without the sandbox, by our own few rules and never as
 * JavaScript; it throws `unsure` where only the sandbox can tell.
 */
export type SimpleProgram = (read: ReadName) => unknown;

/** What a simple program came to; `unsure`: ask the sandbox, whose word counts. */
export type SimpleValue = { readonly kind: "value"; readonly value: unknown } | { readonly kind: "unsure" };

export function runSimple(program: SimpleProgram, read: ReadName): SimpleValue {
  try {
    return { kind: "value", value: program(read) };
  } catch (error) {
    if (isUnsure(error)) return { kind: "unsure" };
    throw error;
  }
}
