import { expect, test } from "vitest";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { axisOf, barsOf } from "./waterfall-bars.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
const waits = new Set(["delay"]);

const node = (nodeId: string, from: number | null, to: number | null, status: ShownNodeExecution["status"]) => ({
  nodeId,
  nodeName: nodeId,
  type: "log",
  status,
  startedAt: from === null ? null : at(from),
  completedAt: to === null ? null : at(to),
  duration: from === null || to === null ? null : to - from,
});

const run = (nodes: ShownNodeExecution[], endedAt: number | null, logs: unknown[] = []) =>
  ({ startedAt: at(0), completedAt: endedAt === null ? null : at(endedAt), nodes, logs }) as ShownExecution;

const seen = ({ parts }: { readonly parts: readonly { kind: string; left: number; width: number }[] }) =>
  parts.map(({ kind, left, width }) => [kind, left, width]);

test("bars are placed by time, and nodes that never started are listed separately", () => {
  const nodes = [node("b", 50, 100, "completed"), node("a", 20, 50, "completed"), node("c", null, null, "skipped")];
  const { queue, bars, rest, spanMs } = barsOf(run(nodes, 200), null, waits);
  expect(spanMs).toBe(200);
  expect(queue).toMatchObject({ left: 0, width: 0.1, durationMs: 20 });
  expect(bars.map(({ node: { nodeId } }) => nodeId)).toEqual(["a", "b"]);
  expect(bars.map(seen)).toEqual([[["run", 0.1, 0.15]], [["run", 0.25, 0.25]]]);
  expect(rest.map(({ nodeId }) => nodeId)).toEqual(["c"]);
});

test("a running node's bar ends now, and a waiting one is shown as waiting", () => {
  const waiting = { ...node("d", 0, 100, "completed"), type: "delay" };
  const { bars } = barsOf(run([waiting, node("a", 100, null, "running")], null), Date.parse(at(400)), waits);
  expect(bars.map(seen)).toEqual([[["wait", 0, 0.25]], [["run", 0.25, 0.75]]]);
  expect(bars[1]?.durationMs).toBe(300);
});

test("a node with an invalid config never waited, unlike one that timed out", () => {
  const failed = { ...node("d", 0, 100, "failed"), type: "delay" };
  const unready = { ...failed, error: { message: "Duration is required", code: "INVALID_CONFIG", field: "ms" } };
  const unanswered = { ...failed, error: { message: "Nobody answered", code: "WAIT_TIMEOUT" } };
  const { bars } = barsOf(run([unready, unanswered], 100), null, waits);
  expect(bars.map(seen)).toEqual([[["run", 0, 1]], [["wait", 0, 1]]]);
});

test("a retried node shows each attempt and the pause before it", () => {
  const tried = { ...node("call", 0, 100, "completed"), type: "http-request", retries: 2 };
  const missed = (ms: number, retry: number, delayMs: number) => ({
    nodeId: "call",
    timestamp: at(ms),
    data: { retry, delayMs },
  });
  const { bars } = barsOf(run([tried], 100, [missed(10, 1, 20), missed(50, 2, 40)]), null, waits);
  expect(bars.map(seen)).toEqual([
    [
      ["run", 0, 0.1],
      ["pause", 0.1, 0.2],
      ["run", 0.3, 0.2],
      ["pause", 0.5, 0.4],
      ["run", 0.9, 0.1],
    ].map(([kind, left, width]) => [kind, expect.closeTo(Number(left)), expect.closeTo(Number(width))]),
  ]);
});

test("no two axis labels are the same, however short the run", () => {
  expect(axisOf(2).map(({ label }) => label)).toEqual(["0 ms", "1 ms", "2 ms"]);
  expect(axisOf(1).map(({ label }) => label)).toEqual(["0 ms", "1 ms"]);
  expect(axisOf(400).map(({ part, label }) => [part, label])).toEqual([
    [0, "0 ms"],
    [0.25, "100 ms"],
    [0.5, "200 ms"],
    [0.75, "300 ms"],
    [1, "400 ms"],
  ]);
});
