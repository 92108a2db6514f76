import { describe, expect, test } from "vitest";
import { mergedLog } from "./read-logs.ts";
import { entriesOfRun } from "./run-log.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
const run = {
  id: "exec_1",
  workspaceId: "ws_1",
  status: "completed",
  source: "webhook",
  triggerType: "webhook",
  metadata: "{}",
  startedAt: at(0),
  completedAt: at(9),
  durationMs: 9_000,
  errorMessage: null,
  originalExecutionId: null,
  fromNode: null,
};
const wait = {
  stepId: "ask",
  kind: "call",
  until: null,
  waitedId: null,
  createdAt: at(2),
  resumedAt: null,
  endedAt: null,
};
const messagesOf = (...given: Parameters<typeof entriesOfRun>) => entriesOfRun(...given).map(({ message }) => message);

describe("the log of a run", () => {
  test.each([
    [{}, "Started by its trigger URL"],
    [{ source: "schedule" }, "Started by its schedule"],
    [{ source: "sub-flow", metadata: '{"parentExecutionId":"exec_0"}' }, "Started by the execution exec_0"],
    [{ source: "api", metadata: '{"parentExecutionId":"exec_0"}' }, "Started by the API"],
    [{ source: "retry", originalExecutionId: "exec_0" }, "Started as a retry of exec_0"],
    [
      { source: "retry", originalExecutionId: "exec_0", fromNode: "b" },
      'Started as a retry of exec_0 from the node "b"',
    ],
  ])("who started it: %j", (overrides, message) => {
    expect(messagesOf({ ...run, ...overrides }, [], [])[0]).toBe(message);
  });

  test.each([
    ["completed", null, "info", "Completed in 9 s"],
    ["failed", "no stock", "info", "Failed after 9 s: no stock"],
    ["timeout", "too slow", "info", "Timed out after 9 s: too slow"],
    ["cancelled", null, "info", "Cancelled after 9 s"],
  ])("how it ended: %s", (status, errorMessage, level, message) => {
    expect(entriesOfRun({ ...run, status, errorMessage }, [], []).at(-1)).toEqual({
      id: "ended",
      timestamp: at(9).toISOString(),
      level,
      nodeId: null,
      message,
      data: { event: "ended", status, duration: 9_000 },
    });
  });

  test("has no end while the run is in progress", () => {
    expect(messagesOf({ ...run, status: "running", completedAt: null, durationMs: null }, [], [])).toHaveLength(1);
  });

  test("has its waits, what woke it, and its retries in chronological order", () => {
    const waits = [
      { ...wait, kind: "call" as const, resumedAt: at(5), endedAt: at(6) },
      { ...wait, stepId: "pause", kind: "time" as const, until: at(4), createdAt: at(3), endedAt: at(4) },
      { ...wait, stepId: "child", kind: "execution" as const, waitedId: "exec_2", createdAt: at(7) },
    ];
    expect(messagesOf(run, waits, [{ id: "exec_3", startedAt: at(20) }])).toEqual([
      "Started by its trigger URL",
      'The node "ask" waits for a call',
      'The node "pause" waits until 2026-01-01T00:00:04.000Z',
      'The node "pause" continues: its time is up',
      'The node "ask" continues: a call came',
      'The node "child" waits for the execution exec_2',
      "Completed in 9 s",
      "Retried as exec_3",
    ]);
  });

  test("does not show an early call as a wait that ended before it began", () => {
    const [, waiting, woken] = entriesOfRun(run, [{ ...wait, kind: "call", createdAt: at(4), resumedAt: at(2) }], []);
    expect([waiting?.timestamp, woken?.timestamp]).toEqual([at(2).toISOString(), at(2).toISOString()]);
  });
});

describe("merged with the nodes' entries", () => {
  const written = (id: string, seconds: number) => ({
    id,
    timestamp: at(seconds).toISOString(),
    level: "info" as const,
    nodeId: "n",
    message: id,
  });

  test("the start comes first, the end last, and everything else where it happened", () => {
    // Clocks differ between processes: an entry's time may be before the start or after the end.
    const nodes = [written("1", -1), written("2", 3), written("3", 2), written("4", 10)];
    const waits = [{ ...wait, kind: "call" as const, createdAt: at(2), resumedAt: at(5), endedAt: at(5) }];
    const retries = [{ id: "exec_3", startedAt: at(20) }];
    expect(mergedLog(nodes, entriesOfRun(run, waits, retries)).map(({ id }) => id)).toEqual([
      ...["started", "1", "waiting:ask", "2", "3", "woken:ask", "4", "ended", "retried:exec_3"],
    ]);
  });

  test("ids are unique, and nothing is lost or duplicated", () => {
    const nodes = Array.from({ length: 50 }, (_, index) => written(String(index), (index * 7) % 13));
    const all = mergedLog(nodes, entriesOfRun(run, [{ ...wait, kind: "call" }], []));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.filter(({ nodeId }) => nodeId !== null)).toEqual(nodes);
  });
});
