import { describe, expect, test } from "vitest";
import { done, failure, graphOf } from "#lib/engine/testing/flows.ts";
import { Journal, journalLimits } from "./journal.ts";

const graph = graphOf(["a", "b"], []);
const nodeAt = (id: "a" | "b") => {
  const found = graph.byId.get(id);
  if (found === undefined) throw new Error(`there is no node "${id}"`);
  return { id, node: found };
};

describe("a node", () => {
  test("is recorded when it starts, and again when it ends", () => {
    const journal = new Journal();
    journal.begin(nodeAt("b"));
    expect(journal.take().nodes).toMatchObject([{ nodeId: "b", position: 1, status: "running", completedAt: null }]);
    journal.input("b", '{"a":1}');
    journal.retried("b");
    journal.retried("b");
    journal.end("b", done({ x: 1 }, "true"));
    expect(journal.take().nodes).toMatchObject([
      {
        nodeId: "b",
        status: "completed",
        retries: 2,
        handle: "true",
        input: '{"a":1}',
        output: '{"x":1}',
        error: null,
      },
    ]);
    expect(journal.take()).toEqual({ nodes: [], logs: [] });
  });

  test("that starts and ends between two writes is recorded once, with its end", () => {
    const journal = new Journal();
    journal.begin(nodeAt("a"));
    journal.end("a", done(1));
    expect(journal.take().nodes.map(({ status }) => status)).toEqual(["completed"]);
  });

  test("that failed says why, and keeps the status and headers of its answer", () => {
    const journal = new Journal();
    journal.begin(nodeAt("a"));
    journal.end("a", failure);
    journal.begin(nodeAt("b"));
    journal.end("b", { ...done("x"), answer: { status: 201, headers: {} } } as ReturnType<typeof done>);
    expect(journal.take().nodes).toMatchObject([
      { status: "failed", output: null, error: '{"message":"it broke","code":"BROKEN"}', answer: null },
      { status: "completed", answer: '{"status":201,"headers":{}}' },
    ]);
  });

  test("that was skipped or never started is not recorded", () => {
    const journal = new Journal();
    journal.end("a", done(1));
    journal.begin(nodeAt("b"));
    journal.take();
    journal.end("b", { status: "skipped" });
    expect(journal.take().nodes).toEqual([]);
    expect(journal.nodesExecuted).toBe(0);
  });
});

describe("counts", () => {
  test("include executed nodes only; cancelled ones do not count", () => {
    const journal = new Journal();
    for (const [id, outcome] of [["a", failure] as const, ["b", { status: "cancelled" }] as const]) {
      journal.begin(nodeAt(id));
      journal.end(id, outcome);
    }
    expect([journal.nodesExecuted, journal.errorCount]).toEqual([1, 1]);
  });

  test("continue from what another process recorded", () => {
    const journal = new Journal();
    const warnings = [{ nodeId: "a", message: "careful", timestamp: "2026-01-31T10:00:00.000Z" }];
    const outcomes = new Map([
      ["a", failure],
      ["b", done(1)],
      ["c", { status: "skipped" as const }],
    ]);
    const begun = new Map([["d", { startedAt: "2026-01-31T10:00:00.000Z", loop: null }]]);
    journal.resume({ outcomes, begun }, warnings);
    journal.continue({ ...nodeAt("a"), id: "d" }, { startedAt: "2026-01-31T10:00:00.000Z", loop: null });
    expect(journal.stepCount).toBe(4);
    journal.warn("b", "again");
    expect([journal.nodesExecuted, journal.errorCount, journal.warningCount]).toEqual([2, 1, 2]);
    expect(journal.warnings.map(({ message }) => message)).toEqual(["careful", "again"]);
  });
});

test("many small records are written before the run goes on", () => {
  const journal = new Journal();
  const isLarge = Array.from({ length: 5_000 }, (_, index) => {
    journal.begin({ ...nodeAt("a"), id: `n${index}` });
    journal.end(`n${index}`, done(1));
    return journal.isLarge;
  });
  expect([isLarge.at(-2), isLarge.at(-1)]).toEqual([false, true]);
  journal.take();
  expect(journal.isLarge).toBe(false);
});

describe("the log", () => {
  test("turns a warning into an entry, and counts it among the run's warnings", () => {
    const journal = new Journal();
    journal.log("info", "a", "hello", '{"x":1}');
    journal.log("warning", null, "careful", null);
    expect(journal.take().logs).toMatchObject([
      { level: "info", nodeId: "a", message: "hello", data: '{"x":1}' },
      { level: "warning", nodeId: null, message: "careful" },
    ]);
    expect([journal.warningCount, journal.warnings[0]?.message]).toEqual([1, "careful"]);
  });

  test("ends at its limit and says so; long messages are truncated", () => {
    const journal = new Journal();
    for (let index = 0; index < journalLimits.logEntriesMax + 5; index += 1) journal.log("warning", null, "x", "1");
    const { logs } = journal.take();
    expect(logs).toHaveLength(journalLimits.logEntriesMax);
    expect(logs.at(-1)).toMatchObject({ message: expect.stringMatching(/ends here/), data: null });
    expect(journal.warnings).toHaveLength(journalLimits.warningsMax);
    expect(journal.warningCount).toBe(journalLimits.logEntriesMax + 5);
    journal.log("warning", null, "unlike", null, "DRIFT");
    journal.log("warning", null, "unlike", null, "DRIFT");
    expect(journal.warnings.map(({ code }) => code).filter(Boolean)).toEqual(["DRIFT"]);
    const long = new Journal();
    long.log("info", null, "x".repeat(20_000), null);
    expect(long.take().logs[0]?.message).toHaveLength(journalLimits.logMessageCharactersMax);
  });
});
