import { expect, test } from "vitest";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions.ts";
import { barsOf } from "./waterfall-bars.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

const node = (nodeId: string, from: number | null, to: number | null, status: ShownNodeExecution["status"]) => ({
  nodeId,
  nodeName: nodeId,
  type: "log",
  status,
  startedAt: from === null ? null : at(from),
  completedAt: to === null ? null : at(to),
  duration: from === null || to === null ? null : to - from,
});

const run = (nodes: ShownNodeExecution[], endedAt: number | null) =>
  ({ startedAt: at(0), completedAt: endedAt === null ? null : at(endedAt), nodes }) as ShownExecution;

test("bars lie by time, and what never began stands apart", () => {
  const { bars, rest, spanMs } = barsOf(
    run([node("b", 50, 100, "completed"), node("a", 0, 50, "completed"), node("c", null, null, "skipped")], 200),
    null,
  );
  expect(spanMs).toBe(200);
  expect(bars.map(({ node: { nodeId }, left, width }) => [nodeId, left, width])).toEqual([
    ["a", 0, 0.25],
    ["b", 0.25, 0.25],
  ]);
  expect(rest.map(({ nodeId }) => nodeId)).toEqual(["c"]);
});

test("a node that runs reaches to now", () => {
  const { bars } = barsOf(run([node("a", 100, null, "running")], null), Date.parse(at(400)));
  expect(bars[0]).toMatchObject({ left: 0.25, width: 0.75, durationMs: 300 });
});
