import { isJsonObject, jsonCharacters } from "#lib/engine/json.ts";
import type { Outcome } from "#lib/engine/outcome.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import type { NodePart } from "../prepare.ts";
import type { Replayed } from "../replay.ts";
import { notRecordedCode } from "../replay-node.ts";
import type { ReplayedNode } from "../replayed-nodes.ts";
import { type Expectation, type ExpectedNode, type Followed, IgnoredPaths, partsOfNode } from "./expectation.ts";

/** A difference between a replay and its expectation. */
export interface TestProblem {
  /** `nodes.total.output.sum`. */
  readonly path: string;
  /** Null for the run as a whole. */
  readonly nodeId: string | null;
  readonly message: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The maximum number reported per test. */
export const problemsMax = 50;

/** Larger values are truncated: a problem names the path of the difference, and the value there is usually small. */
const valueCharactersMax = 2_000;
/** Keys may be of any length: they are user input. */
const pathCharactersMax = 1_000;

/**
 * Every difference between a test's expectation and its replay: each node's after those of the nodes it depends on, and
 * last those that may exist only because the run or a loop ended early. Missing recordings cannot be ignored. Yields to
 * the event loop.
 */
export async function problemsOf(expect: Expectation, replayed: Replayed): Promise<TestProblem[]> {
  const comparison = new Comparison(expect.ignore ?? []);
  const expectedNodes = expect.nodes ?? {};
  const unrecorded = new Set(replayed.notRecorded);
  for (const { nodeId, part, within } of replayed.parts) {
    const node = replayed.nodes.get(nodeId);
    if (node === undefined) continue;
    const expected = Object.hasOwn(expectedNodes, nodeId) ? expectedNodes[nodeId] : undefined;
    const outer = within.map((id) => replayed.nodes.get(id)?.status);
    comparison.isCutShort = [expected?.status, node.status, ...outer].some(isLeftOut);
    if (part !== "items" && unrecorded.delete(nodeId)) comparison.report(["nodes", nodeId], ...notRecorded(nodeId));
    if (expected !== undefined) await comparePart(comparison, { nodeId, part, node }, expected);
  }
  comparison.isCutShort = false;
  for (const nodeId of unrecorded) comparison.report(["nodes", nodeId], ...notRecorded(nodeId));
  for (const id of Object.keys(expectedNodes)) {
    if (replayed.nodes.has(id)) continue;
    comparison.add(["nodes", id], id, `there is no node "${id}" in the flow`, expectedNodes[id], undefined);
  }
  if ("output" in expect && replayed.status === "completed") {
    await comparison.compare(["output"], null, expect.output, replayed.output);
  }
  if (expect.status !== replayed.status) {
    const { failure } = replayed;
    const reason =
      failure === null ? "" : `: "${failure.nodeId}" failed with ${failure.error.code}: ${failure.error.message}`;
    const message = `the run is ${replayed.status}, not ${expect.status}${reason}`;
    comparison.add(["status"], failure?.nodeId ?? null, message, expect.status, replayed.status);
  }
  return comparison.problems;
}

/** Whether something else kept the node from ending. */
export function isLeftOut(status: Outcome["status"] | undefined): boolean {
  return status === "cancelled" || status === "skipped";
}

function notRecorded(nodeId: string): Difference {
  const message = `${notRecordedCode}: "${nodeId}" has an outside effect, and the test has no recording for it`;
  return [nodeId, message, undefined, undefined];
}

/**
 * The first place where two values differ; null if they are equal. `isRepeated`: they are lists by iteration, and the
 * iterations that both have are compared first. Yields to the event loop.
 */
export async function firstDifference(
  root: string,
  expected: unknown,
  actual: unknown,
  isRepeated = false,
): Promise<(Pick<TestProblem, "path" | "expected" | "actual"> & { readonly isLate: boolean }) | null> {
  const comparison = new Comparison([], 1);
  await comparison.compare([root], null, expected, actual, isRepeated);
  const [first] = comparison.problems;
  return first === undefined ? null : { ...first, isLate: comparison.isLate };
}

interface ComparedPart extends Pick<NodePart, "nodeId" | "part"> {
  readonly node: ReplayedNode;
}

async function comparePart(
  comparison: Comparison,
  { nodeId, part, node }: ComparedPart,
  expected: ExpectedNode,
): Promise<void> {
  const { items, credentials, ...came } = partsOfNode(node);
  const compare = async (name: keyof ExpectedNode, actual: unknown) => {
    if (expected[name] === undefined) return;
    await comparison.compare(["nodes", nodeId, name], nodeId, expected[name], actual, node.isRepeated);
  };
  if (part !== "end") await compare("items", items);
  if (part === "items") return;
  if (expected.status !== undefined && expected.status !== node.status) {
    const reason = node.error === null ? "" : ` (${node.error.code}: ${node.error.message})`;
    const message = `is ${node.status}${reason}, not ${expected.status}`;
    comparison.add(["nodes", nodeId, "status"], nodeId, message, expected.status, node.status);
  }
  await compare("credentials", credentials);
  await compare("request", came.request);
  if (expected.status === undefined || expected.status === node.status) await compare("error", came.error);
  await compare("output", node.output);
}

/** Two objects or lists with members left to compare. */
interface Pair {
  readonly path: readonly string[];
  readonly followed: Followed;
  readonly keys: Iterator<string>;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Values to compare before yielding. */
const valuesAtOnce = 1_000;

class Comparison {
  /** Set while differences may exist only because something else ended the run: they are reported last. */
  isCutShort = false;
  readonly #problems: TestProblem[] = [];
  readonly #late: TestProblem[] = [];
  readonly #ignored: IgnoredPaths;
  readonly #problemsMax: number;

  constructor(ignored: readonly string[], max = problemsMax) {
    this.#ignored = new IgnoredPaths(ignored);
    this.#problemsMax = max;
  }

  /** True if all differences are of that kind. */
  get isLate(): boolean {
    return this.#problems.length === 0;
  }

  get problems(): TestProblem[] {
    return [...this.#problems, ...this.#late].slice(0, this.#problemsMax);
  }

  get #hasRoom(): boolean {
    return this.#problems.length < this.#problemsMax && (this.#late.length < this.#problemsMax || !this.isCutShort);
  }

  add(path: readonly string[], ...difference: Difference): void {
    if (this.#ignored.follow(path) !== "ignored") this.report(path, ...difference);
  }

  /** Adds a problem, even if the path is ignored. */
  report(path: readonly string[], ...[nodeId, message, expected, actual]: Difference): void {
    const problems = this.isCutShort ? this.#late : this.#problems;
    if (problems.length >= this.#problemsMax) return;
    const shown = cutText(path.join("."), pathCharactersMax);
    problems.push({ path: shown, nodeId, message, expected: cut(expected), actual: cut(actual) });
  }

  /** Finds the places that differ. `isRepeated`: both are lists by iteration, whose length the loop decides. */
  async compare(
    root: readonly string[],
    nodeId: string | null,
    expected: unknown,
    actual: unknown,
    isRepeated = false,
  ): Promise<void> {
    const end = isRepeated ? Math.min(lengthOf(expected), lengthOf(actual)) : Number.POSITIVE_INFINITY;
    const open: Pair[] = [];
    const wasCutShort = this.isCutShort;
    const visit = (path: readonly string[], followed: Followed, left: unknown, right: unknown) => {
      const keys = keysOfBoth(left, right);
      if (keys === null) {
        this.isCutShort ||= path.length === root.length + 1 && Number(path.at(-1)) >= end;
        this.report(path, nodeId, differenceOf(left, right), left, right);
        this.isCutShort = wasCutShort;
      } else open.push({ path, followed, keys, expected: left, actual: right });
    };
    const followed = this.#ignored.follow(root);
    if (expected !== actual && followed !== "ignored") visit(root, followed, expected, actual);
    let count = 0;
    for (let pair = open.at(-1); pair !== undefined && this.#hasRoom; pair = open.at(-1)) {
      count += 1;
      if (count % valuesAtOnce === 0) await yieldTurn();
      const { done, value: key } = pair.keys.next();
      if (done === true) {
        open.pop();
        continue;
      }
      const [left, right] = [ownOf(pair.expected, key), ownOf(pair.actual, key)];
      if (left === right) continue;
      const next = this.#ignored.step(pair.followed, key);
      if (next !== "ignored") visit([...pair.path, key], next, left, right);
    }
  }
}

type Difference = [nodeId: string | null, message: string, expected: unknown, actual: unknown];

/** Iterates over the keys of two objects or lists, of which there may be a million; null for anything else. */
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

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : Number.POSITIVE_INFINITY;
}

function ownOf(value: unknown, key: string): unknown {
  return Object.hasOwn(value as object, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function differenceOf(expected: unknown, actual: unknown): string {
  if (actual === undefined) return "is missing";
  if (expected === undefined) return "is not expected";
  return "differs";
}

/** A value for display; truncated if it is large. */
export function cut(value: unknown, most = valueCharactersMax): unknown {
  if (value === undefined) return null;
  if (typeof value === "string") return cutText(value, most);
  if (jsonCharacters(value, most) <= most) return value;
  return Array.isArray(value)
    ? `(a list of ${value.length}, too long to be shown)`
    : "(an object, too large to be shown)";
}

function cutText(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`;
}
