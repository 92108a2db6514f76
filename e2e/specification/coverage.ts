import { isTest } from "./named-tests.ts";
import { sections } from "./sections.ts";

export interface Coverage {
  readonly statements: number;
  /** Of statements that name a test which does not exist: the statement's id and that name. */
  readonly unproven: readonly { readonly id: string; readonly test: string }[];
}

/** How much of the specification can be pointed to in a test. */
export function specificationCoverage(): Coverage {
  const statements = Object.entries(sections).flatMap(([name, section]) =>
    Object.entries(section).map(([last, [, ...tests]]) => ({ id: `${name}.${last}`, tests })),
  );
  const unproven = statements.flatMap(({ id, tests }) =>
    tests.filter((test) => !isTest(test)).map((test) => ({ id, test })),
  );
  return { statements: statements.length, unproven };
}

/** The coverage in a line. */
export function coverageLine({ statements, unproven }: Coverage): string {
  const proven = statements - new Set(unproven.map(({ id }) => id)).size;
  return `Specification: ${proven} of ${statements} statements have a test`;
}
