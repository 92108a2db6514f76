import { isJsonObject, jsonCharacters } from "#lib/engine/json.ts";
import { giveWay } from "#lib/platform/turns.ts";
import type { Expectation, ExpectedNode } from "./expectation.ts";
import { type Followed, IgnoredPaths } from "./ignored-paths.ts";
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
/** Keys are as long as whoever sent them likes. */
const pathCharactersMax = 1_000;

/**
 * Every difference between what a test expects and what its replay came to; in the order of the flow's nodes. What
 * is not recorded cannot be ignored. Gives way to others between many values.
 */
export async function problemsOf(expect: Expectation, replayed: Replayed): Promise<TestProblem[]> {
  const comparison = new Comparison(expect.ignore ?? []);
  for (const nodeId of replayed.notRecorded) {
    const message = `${notRecordedCode}: "${nodeId}" would reach the outside, and the test has no recording of it`;
    comparison.tell(["nodes", nodeId], nodeId, message, undefined, undefined);
  }
  const expectedNodes = expect.nodes ?? {};
  for (const [id, node] of replayed.nodes) {
    if (Object.hasOwn(expectedNodes, id)) await compareNode(comparison, id, expectedNodes[id] ?? {}, node);
  }
  for (const id of Object.keys(expectedNodes)) {
    if (replayed.nodes.has(id)) continue;
    comparison.add(["nodes", id], id, `there is no node "${id}" in the flow`, expectedNodes[id], undefined);
  }
  if ("output" in expect && replayed.status === "completed") {
    await comparison.compare(["output"], null, expect.output, replayed.output);
  }
  if (expect.status !== replayed.status) {
    const { failure } = replayed;
    const why = failure === null ? "" : `: "${failure.nodeId}" failed with ${failure.error.code}`;
    const message = `the run is ${replayed.status}, not ${expect.status}${why}`;
    comparison.add(["status"], failure?.nodeId ?? null, message, expect.status, replayed.status);
  }
  return comparison.problems;
}

/** The first place where two values differ; null where they are the same. Gives way to others between many values. */
export async function firstDifference(
  root: string,
  expected: unknown,
  actual: unknown,
): Promise<Pick<TestProblem, "path" | "expected" | "actual"> | null> {
  const comparison = new Comparison([], 1);
  await comparison.compare([root], null, expected, actual);
  return comparison.problems[0] ?? null;
}

async function compareNode(
  comparison: Comparison,
  id: string,
  expected: ExpectedNode,
  node: ReplayedNode,
): Promise<void> {
  if (expected.status !== undefined && expected.status !== node.status) {
    const why = node.error === null ? "" : ` (${node.error.code}: ${node.error.message})`;
    const message = `is ${node.status}${why}, not ${expected.status}`;
    comparison.add(["nodes", id, "status"], id, message, expected.status, node.status);
  }
  if (expected.request !== undefined) {
    await comparison.compare(["nodes", id, "request"], id, expected.request, node.request);
  }
  if (expected.output === undefined) return;
  await comparison.compare(["nodes", id, "output"], id, expected.output, node.output);
}

/** Two objects, or two lists, of which some members are still to be compared. */
interface Pair {
  readonly path: readonly string[];
  readonly followed: Followed;
  readonly keys: Iterator<string>;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Values that are compared before others may have their turn. */
const valuesAtOnce = 1_000;

class Comparison {
  readonly problems: TestProblem[] = [];
  readonly #ignored: IgnoredPaths;
  readonly #most: number;

  constructor(ignored: readonly string[], most = problemsMax) {
    this.#ignored = new IgnoredPaths(ignored);
    this.#most = most;
  }

  add(path: readonly string[], ...told: Told): void {
    if (this.#ignored.follow(path) !== "ignored") this.tell(path, ...told);
  }

  /** Tells a problem, also where the path is ignored. */
  tell(path: readonly string[], ...[nodeId, message, expected, actual]: Told): void {
    if (this.problems.length >= this.#most) return;
    const shown = cutText(path.join("."), pathCharactersMax);
    this.problems.push({ path: shown, nodeId, message, expected: cut(expected), actual: cut(actual) });
  }

  /** Goes down to the places that differ. */
  async compare(root: readonly string[], nodeId: string | null, expected: unknown, actual: unknown): Promise<void> {
    const open: Pair[] = [];
    const meet = (path: readonly string[], followed: Followed, one: unknown, other: unknown) => {
      const keys = keysOfBoth(one, other);
      if (keys === null) this.tell(path, nodeId, differenceOf(one, other), one, other);
      else open.push({ path, followed, keys, expected: one, actual: other });
    };
    const followed = this.#ignored.follow(root);
    if (expected !== actual && followed !== "ignored") meet(root, followed, expected, actual);
    let count = 0;
    for (let pair = open.at(-1); pair !== undefined && this.problems.length < this.#most; pair = open.at(-1)) {
      count += 1;
      if (count % valuesAtOnce === 0) await giveWay();
      const { done, value: key } = pair.keys.next();
      if (done === true) {
        open.pop();
        continue;
      }
      const [one, other] = [ownOf(pair.expected, key), ownOf(pair.actual, key)];
      if (one === other) continue;
      const next = this.#ignored.step(pair.followed, key);
      if (next !== "ignored") meet([...pair.path, key], next, one, other);
    }
  }
}

type Told = [nodeId: string | null, message: string, expected: unknown, actual: unknown];

/** The keys of two objects or two lists, one by one: there may be a million; null for anything else. */
function keysOfBoth(expected: unknown, actual: unknown): Iterator<string> | null {
  if (Array.isArray(expected) && Array.isArray(actual)) return indexesOf(Math.max(expected.length, actual.length));
  return isJsonObject(expected) && isJsonObject(actual) ? keysOf(expected, actual) : null;
}

function* indexesOf(length: number): Generator<string> {
  for (let index = 0; index < length; index += 1) yield String(index);
}

function* keysOf(expected: object, actual: object): Generator<string> {
  yield* Object.keys(expected);
  for (const key of Object.keys(actual)) if (!Object.hasOwn(expected, key)) yield key;
}

function ownOf(value: unknown, key: string): unknown {
  return Object.hasOwn(value as object, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function differenceOf(expected: unknown, actual: unknown): string {
  if (actual === undefined) return "is missing";
  if (expected === undefined) return "is not expected";
  return "differs";
}

/** A value to be shown: a larger one is cut. */
export function cut(value: unknown, most = valueCharactersMax): unknown {
  if (value === undefined) return null;
  if (typeof value === "string") return cutText(value, most);
  if (jsonCharacters(value, most) <= most) return value;
  return Array.isArray(value)
    ? `(a list of ${value.length}, too long to be shown)`
    : "(an object, too large to be shown)";
}

function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
