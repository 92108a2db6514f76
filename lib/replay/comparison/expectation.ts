import type { Outcome } from "#lib/engine/outcome.ts";
import { hasOutcome, type Recording } from "../recording.ts";
import type { Replayed } from "../replay.ts";
import type { ReplayedNode } from "../replayed-nodes.ts";

/** What a test expects of a node. Missing parts are not compared. */
export interface ExpectedNode {
  readonly status?: Outcome["status"] | undefined;
  readonly output?: unknown;
  readonly request?: unknown;
  /**
   * How it failed: `{code, message}`; for a node in a loop's body, a list with null for each iteration that did not
   * fail.
   */
  readonly error?: unknown;
  /** A loop's items; `{count}` if there are many. */
  readonly items?: unknown;
  /** The names of the credentials it uses. */
  readonly credentials?: unknown;
}

export interface Expectation {
  readonly status: "completed" | "failed";
  readonly output?: unknown;
  readonly nodes?: Readonly<Record<string, ExpectedNode>> | undefined;
  /** Paths that are not compared: `output.id`, `nodes.pay.request.headers`; `*` matches any one key or index. */
  readonly ignore?: readonly string[] | undefined;
}

/** Turns a replay into an expectation: each node's result, unless its recording determines it, and what it sent. */
export function expectationOf(
  { status, output, nodes }: Replayed,
  recordings: Readonly<Record<string, Recording>>,
): Expectation {
  const expected = [...nodes].map(([id, node]): [string, ExpectedNode] => {
    const recording = Object.hasOwn(recordings, id) ? recordings[id] : undefined;
    const isOwn = recording === undefined || !hasOutcome(recording);
    const { output: made, error, ...inputs } = partsOfNode(node);
    return [id, { status: node.status, ...(isOwn ? given({ output: made, error }) : {}), ...given(inputs) }];
  });
  return { status, ...(status === "completed" ? { output } : {}), nodes: Object.fromEntries(expected) };
}

/** The comparable parts of a node, in the order of comparison; undefined for those it does not have. */
export function partsOfNode(node: ReplayedNode): Omit<ExpectedNode, "status"> {
  const { request, items, credentials, output, error, errors, isRepeated } = node;
  const single = error === null ? undefined : { code: error.code, message: error.message };
  const repeated = errors?.map((error) => (error === null ? null : { code: error.code, message: error.message }));
  return {
    items,
    credentials,
    request,
    error: isRepeated ? repeated : single,
    output: hasOutput(node) ? output : undefined,
  };
}

/** Drops undefined parts. */
function given(parts: ExpectedNode): ExpectedNode {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

/** In a loop's body, some iterations may have an output although others failed. */
function hasOutput({ status, isRepeated }: ReplayedNode): boolean {
  return status === "completed" || (status === "failed" && isRepeated);
}

/** Updates an expectation to a replay's result, with the same parts of each node, if they still exist. */
export function acceptedExpectation(expect: Expectation, { status, output, nodes }: Replayed): Expectation {
  const { output: _, nodes: before, ...rest } = expect;
  const accepted = Object.entries(before ?? {}).flatMap(([id, expected]): [string, ExpectedNode][] => {
    const node = nodes.get(id);
    if (node === undefined) return [];
    const parts = Object.entries({ status: node.status, ...partsOfNode(node) });
    return [
      [id, given(Object.fromEntries(parts.filter(([name]) => expected[name as keyof ExpectedNode] !== undefined)))],
    ];
  });
  return {
    ...rest,
    status,
    ...("output" in expect && status === "completed" ? { output } : {}),
    ...(before === undefined ? {} : { nodes: Object.fromEntries(accepted) }),
  };
}

interface Branch {
  /** By the pattern's next key; `*` matches any one key. */
  readonly next: Map<string, Branch>;
  isEnd: boolean;
}

/** The positions in the patterns that a path has reached; "ignored" once a pattern matches. */
export type Followed = readonly Branch[] | "ignored";

/** Patterns of ignored paths, matched key by key, so that only patterns that may still match cost time. */
export class IgnoredPaths {
  readonly #root: Branch = newBranch();

  constructor(patterns: readonly string[]) {
    for (const pattern of patterns) {
      let at = this.#root;
      for (const part of pattern.replace(/\[(\d+|\*)\]/g, ".$1").split(".")) {
        const next = at.next.get(part) ?? newBranch();
        at.next.set(part, next);
        at = next;
      }
      at.isEnd = true;
    }
  }

  /** Matches a whole path. */
  follow(path: readonly string[]): Followed {
    return path.reduce<Followed>((followed, key) => this.step(followed, key), [this.#root]);
  }

  /** Matches one more key. Keys may contain dots. */
  step(followed: Followed, key: string): Followed {
    if (followed === "ignored" || followed.length === 0) return followed;
    const parts = key.split(".");
    const reachedBranches = new Set<Branch>();
    for (const branch of followed) {
      const any = branch.next.get("*");
      const named = parts.reduce<Branch | undefined>((at, part) => at?.next.get(part), branch);
      if (any?.isEnd || named?.isEnd) return "ignored";
      if (any !== undefined) reachedBranches.add(any);
      if (named !== undefined) reachedBranches.add(named);
    }
    return [...reachedBranches];
  }
}

function newBranch(): Branch {
  return { next: new Map(), isEnd: false };
}
