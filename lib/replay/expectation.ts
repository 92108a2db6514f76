import type { Outcome } from "#lib/engine/outcome.ts";
import { type Recording, saysOutcome } from "./recording.ts";
import type { Replayed, ReplayedNode } from "./replay.ts";

/** What a test says of a node. What is missing is not compared. */
export interface ExpectedNode {
  readonly status?: Outcome["status"] | undefined;
  readonly output?: unknown;
  readonly request?: unknown;
}

export interface Expectation {
  readonly status: "completed" | "failed";
  readonly output?: unknown;
  readonly nodes?: Readonly<Record<string, ExpectedNode>> | undefined;
  /** Paths that are not compared: `output.id`, `nodes.pay.request.headers`; `*` stands for any one key or index. */
  readonly ignore?: readonly string[] | undefined;
}

/** Expects all of a replay again: what each node came to, where its recording does not say it, and what it sent. */
export function expectationOf(
  { status, output, nodes }: Replayed,
  recordings: Readonly<Record<string, Recording>>,
): Expectation {
  const expected = [...nodes].map(([id, node]): [string, ExpectedNode] => {
    const recording = Object.hasOwn(recordings, id) ? recordings[id] : undefined;
    const isMade = hasOutput(node) && (recording === undefined || !saysOutcome(recording));
    return [
      id,
      {
        status: node.status,
        ...(isMade ? { output: node.output } : {}),
        ...(node.request === undefined ? {} : { request: node.request }),
      },
    ];
  });
  return { status, ...(status === "completed" ? { output } : {}), nodes: Object.fromEntries(expected) };
}

/** In a loop's body, some items may have an output where others failed. */
function hasOutput({ status, isRepeated }: ReplayedNode): boolean {
  return status === "completed" || (status === "failed" && isRepeated);
}

/** What a replay came to, in the place of what was expected; of each node the same parts, and of those that are there. */
export function acceptedExpectation(expect: Expectation, { status, output, nodes }: Replayed): Expectation {
  const { output: _, nodes: before, ...rest } = expect;
  const accepted = Object.entries(before ?? {}).flatMap(([id, expected]): [string, ExpectedNode][] => {
    const node = nodes.get(id);
    if (node === undefined) return [];
    const parts: ExpectedNode = {
      ...(expected.status === undefined ? {} : { status: node.status }),
      ...(expected.output === undefined || !hasOutput(node) ? {} : { output: node.output }),
      ...(expected.request === undefined || node.request === undefined ? {} : { request: node.request }),
    };
    return [[id, parts]];
  });
  return {
    ...rest,
    status,
    ...("output" in expect && status === "completed" ? { output } : {}),
    ...(before === undefined ? {} : { nodes: Object.fromEntries(accepted) }),
  };
}
