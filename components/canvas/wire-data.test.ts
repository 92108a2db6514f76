import { expect, test } from "vitest";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { carriedBy, describeOutput, formatBytes, type NodeRuns, wireState } from "./wire-data.ts";

test.each([
  [0, "0 B"],
  [2, "2 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [3_449, "3.4 kB"],
  [9_949, "9.9 kB"],
  [9_951, "10 kB"],
  [999_499, "999 kB"],
  [999_500, "1.0 MB"],
  [12_345_678, "12 MB"],
  [5e12, "5,000 GB"],
])("%i bytes are %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

const ended = { status: "completed" } as ShownNodeExecution;
test("a wire shows a list's items and the size, and nothing for a node that did not complete", () => {
  expect(describeOutput({ ...ended, items: 1, outputBytes: 12 })).toEqual(["1 item", "12 B"]);
  expect(describeOutput({ ...ended, items: 1_200, outputBytes: 48_000 })).toEqual(["1,200 items", "48 kB"]);
  expect(describeOutput({ ...ended, outputBytes: 48 })).toEqual(["48 B"]);
  expect(describeOutput({ ...ended, output: [1, 2] })).toEqual(["2 items"]);
  expect(describeOutput({ ...ended, status: "running", items: 3 })).toEqual([]);
});

test("a wire's data stays the same object while its node's run does", () => {
  const run = { ...ended, outputBytes: 4 };
  expect(carriedBy(run)).toBe(carriedBy(run));
  expect(carriedBy(undefined)).toBe(carriedBy({ ...ended }));
});

type NodeState = Pick<ShownNodeExecution, "status" | "handle">;

const runs = (nodes: Record<string, NodeState>): NodeRuns =>
  new Map(
    Object.entries(nodes).map(([nodeId, run]) => [
      nodeId,
      { nodeId, nodeName: nodeId, type: "x", startedAt: null, completedAt: null, duration: null, ...run },
    ]),
  );
const wire = (source: string, target: string, handle: string | null) => ({ id: "w", source, target, handle });

test("the chosen branch is taken and the other is not", () => {
  const nodeRuns = runs({
    check: { status: "completed", handle: "true" },
    yes: { status: "completed" },
    no: { status: "skipped" },
  });
  expect(wireState(wire("check", "yes", "true"), nodeRuns, false)).toBe("taken");
  expect(wireState(wire("check", "no", "false"), nodeRuns, false)).toBe("dead");
});

test("a failure leaves by the error handle only", () => {
  const nodeRuns = runs({ call: { status: "failed" }, mend: { status: "completed" }, next: { status: "skipped" } });
  expect(wireState(wire("call", "mend", "error"), nodeRuns, false)).toBe("taken");
  expect(wireState(wire("call", "next", null), nodeRuns, false)).toBe("dead");
});

test("during a run, what is ahead waits and what leads to a running node moves", () => {
  const nodeRuns = runs({ call: { status: "running" }, next: { status: "pending" } });
  expect(wireState(wire("trigger", "call", null), nodeRuns, true)).toBe("moving");
  expect(wireState(wire("call", "next", null), nodeRuns, true)).toBe("waiting");
});
