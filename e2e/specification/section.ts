/**
 * What the service promises of one subject: by the last part of a statement's id, the statement in a sentence and the
 * tests that would fail if it were not true. A test is written as the test runner shows it,
 * `flows-list > filters > status is exact`: the file, of `e2e/api` unless it is a path, then the titles.
 */
export type Section = Readonly<Record<string, readonly [statement: string, test: string, ...moreTests: string[]]>>;
