import { isJsonObject, jsonCharacters } from "#lib/engine/json.ts";
import type { Expectation, ExpectedNode } from "./expectation.ts";
import type { Replayed, ReplayedNode } from "./replay.ts";
import { notRecordedCode } from "./replay-node.ts";

/** Where a replay is not what was expected. */
export interface TestProblem {
  /** `nodes.total.output.sum`. */
  readonly path: string;
  /** Null for what is of the whole run. */
  readonly nodeId: string | null;
  readonly message: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** So many are told of one test; a test with more has failed all the same. */
export const problemsMax = 50;

/** A larger value is cut: a problem names the path of what differs, and most of that is small. */
const valueCharactersMax = 2_000;

/** Every difference between what a test expects and what its replay came to; in the order of the flow's nodes. */
export function problemsOf(expect: Expectation, replayed: Replayed): TestProblem[] {
  const comparison = new Comparison(expect.ignore ?? []);
  for (const nodeId of replayed.notRecorded) {
    const message = `${notRecordedCode}: "${nodeId}" would reach the outside, and the test has no recording of it`;
    comparison.add(["nodes", nodeId], nodeId, message, undefined, undefined);
  }
  const expectedNodes = expect.nodes ?? {};
  for (const [id, node] of replayed.nodes) {
    if (Object.hasOwn(expectedNodes, id)) compareNode(comparison, id, expectedNodes[id] ?? {}, node);
  }
  for (const id of Object.keys(expectedNodes)) {
    if (replayed.nodes.has(id)) continue;
    comparison.add(["nodes", id], id, `there is no node "${id}" in the flow`, expectedNodes[id], undefined);
  }
  if ("output" in expect && replayed.status === "completed") {
    comparison.compare(["output"], null, expect.output, replayed.output);
  }
  if (expect.status !== replayed.status) {
    const { failure } = replayed;
    const why = failure === null ? "" : `: "${failure.nodeId}" failed with ${failure.error.code}`;
    const message = `the run is ${replayed.status}, not ${expect.status}${why}`;
    comparison.add(["status"], failure?.nodeId ?? null, message, expect.status, replayed.status);
  }
  return comparison.problems;
}

function compareNode(comparison: Comparison, id: string, expected: ExpectedNode, node: ReplayedNode): void {
  if (expected.status !== undefined && expected.status !== node.status) {
    const why = node.error === null ? "" : ` (${node.error.code}: ${node.error.message})`;
    const message = `is ${node.status}${why}, not ${expected.status}`;
    comparison.add(["nodes", id, "status"], id, message, expected.status, node.status);
  }
  if (expected.request !== undefined) {
    comparison.compare(["nodes", id, "request"], id, expected.request, node.request);
  }
  if (expected.output !== undefined) comparison.compare(["nodes", id, "output"], id, expected.output, node.output);
}

class Comparison {
  readonly problems: TestProblem[] = [];
  readonly #ignored: readonly string[];

  constructor(ignored: readonly string[]) {
    this.#ignored = ignored.map((pattern) => pattern.replace(/\[(\d+|\*)\]/g, ".$1"));
  }

  add(path: readonly string[], nodeId: string | null, message: string, expected: unknown, actual: unknown): void {
    if (this.problems.length >= problemsMax || this.#isIgnored(path)) return;
    this.problems.push({ path: path.join("."), nodeId, message, expected: cut(expected), actual: cut(actual) });
  }

  /** Goes down to the places that differ. Neither value is nested deeper than JSON that comes in may be. */
  compare(path: readonly string[], nodeId: string | null, expected: unknown, actual: unknown): void {
    if (this.problems.length >= problemsMax || expected === actual || this.#isIgnored(path)) return;
    const keys = keysOfBoth(expected, actual);
    if (keys === null) {
      this.add(path, nodeId, differenceOf(expected, actual), expected, actual);
      return;
    }
    for (const key of keys) {
      if (this.problems.length >= problemsMax) return;
      this.compare([...path, key], nodeId, ownOf(expected, key), ownOf(actual, key));
    }
  }

  #isIgnored(path: readonly string[]): boolean {
    return this.#ignored.some((pattern) => covers(pattern, path));
  }
}

/** The keys of two objects or two lists, one by one: there may be a million; null for anything else. */
function keysOfBoth(expected: unknown, actual: unknown): Iterable<string> | null {
  if (Array.isArray(expected) && Array.isArray(actual)) return indexesOf(Math.max(expected.length, actual.length));
  return isJsonObject(expected) && isJsonObject(actual) ? keysOf(expected, actual) : null;
}

function* indexesOf(length: number): Iterable<string> {
  for (let index = 0; index < length; index += 1) yield String(index);
}

function* keysOf(expected: object, actual: object): Iterable<string> {
  yield* Object.keys(expected);
  for (const key of Object.keys(actual)) if (!Object.hasOwn(expected, key)) yield key;
}

function ownOf(value: unknown, key: string): unknown {
  return Object.hasOwn(value as object, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function differenceOf(expected: unknown, actual: unknown): string {
  if (actual === undefined) return "is missing";
  if (expected === undefined) return "is not expected";
  return "is another value";
}

/** Whether a pattern names the path or what is above it. Keys may have dots in them. */
function covers(pattern: string, path: readonly string[]): boolean {
  let rest = pattern;
  for (const key of path) {
    if (rest === "*" || rest === key) return true;
    if (rest.startsWith(`${key}.`)) rest = rest.slice(key.length + 1);
    else if (rest.startsWith("*.")) rest = rest.slice(2);
    else return false;
  }
  return false;
}

function cut(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === "string")
    return value.length <= valueCharactersMax ? value : `${value.slice(0, valueCharactersMax)}…`;
  if (jsonCharacters(value, valueCharactersMax) <= valueCharactersMax) return value;
  return Array.isArray(value)
    ? `(a list of ${value.length}, too long to be shown)`
    : "(an object, too large to be shown)";
}
