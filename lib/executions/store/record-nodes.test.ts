import { beforeAll, describe, expect, test, vi } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { database, pool, query } from "#lib/platform/database.ts";
import type { StartedFlow } from "./new-execution.ts";
import { recordNodes } from "./record-nodes.ts";
import { recordedOutcomes } from "./recorded-outcomes.ts";

let flow: StartedFlow;

inOwnDatabase();
beforeAll(async () => {
  flow = await storedFlow(await newActor());
});

const write = (executionId: string, fence: number, output: string, nodeId = "a") =>
  recordNodes({ executionId, fence, nodes: [nodeRecord(nodeId, { output })], logs: [] });

const outputs = async (executionId: string) => {
  const rows = await database().nodeExecution.findMany({ where: { executionId }, orderBy: { nodeId: "asc" } });
  return rows.map(({ nodeId, output }) => [nodeId, output]);
};

const claimAgain = (id: string) => query("raise-fence", "UPDATE execution SET fence = fence + 1 WHERE id = $1", [id]);

describe("a claim's writes", () => {
  test("are stored while it holds; a node's last record wins", async () => {
    const id = await storedExecution(flow, "me");
    expect(await write(id, 1, "1")).toBe("running");
    expect(await Promise.all([write(id, 1, "2"), write(id, 1, "3"), write(id, 1, "9", "b")])).toEqual(
      Array(3).fill("running"),
    );
    expect(await outputs(id)).toEqual([
      ["a", "3"],
      ["b", "9"],
    ]);
  });

  test("are refused once there is a later claim, and stored ones are kept", async () => {
    const id = await storedExecution(flow, "me");
    await write(id, 1, "1");
    await claimAgain(id);
    expect(await write(id, 1, "2")).toBeNull();
    expect(await outputs(id)).toEqual([["a", "1"]]);
  });

  test("are refused even in one batch with the later claim's", async () => {
    const id = await storedExecution(flow, "me");
    await claimAgain(id);
    const answers = await Promise.all([write(id, 2, "new"), write(id, 1, "old"), write(id, 1, "old", "b")]);
    expect(answers).toEqual(["running", null, null]);
    expect(await outputs(id)).toEqual([["a", "new"]]);
  });

  test("to a run that does not exist are dropped, and do not affect others", async () => {
    const id = await storedExecution(flow, "me");
    expect(await Promise.all([write("exec_gone", 1, "1"), write(id, 1, "2")])).toEqual([null, "running"]);
  });
});

describe("text that the database cannot hold as it is", () => {
  test("does not prevent storing a run: JSON keeps it, elsewhere the character is replaced", async () => {
    const id = await storedExecution(flow, "me");
    const unstorable = "a\u0000b\ud800";
    const record = nodeRecord("a", { handle: unstorable, output: JSON.stringify(unstorable), error: null });
    const timestamp = new Date().toISOString();
    const logs = [
      { timestamp, level: "info" as const, nodeId: "a", message: unstorable, data: JSON.stringify(unstorable) },
    ];
    expect(await recordNodes({ executionId: id, fence: 1, nodes: [record], logs })).toBe("running");
    const [row] = await database().logEntry.findMany({ where: { executionId: id } });
    expect(row?.message).toBe("a\ufffdb\ufffd");
    expect(JSON.parse(row?.data ?? "")).toBe(unstorable);
    const outcome = (await recordedOutcomes([id])).get(id)?.get("a");
    expect(outcome).toMatchObject({ status: "completed", output: { value: unstorable }, handle: "a\ufffdb\ufffd" });
  });
});

describe("the recorded outcomes of a run's nodes", () => {
  test("leave out nodes that were running or cancelled", async () => {
    const id = await storedExecution(flow, "me");
    const answer = { status: 201, headers: { "x-a": "1" } };
    const nodes = [
      nodeRecord("done", { output: '{"a":1}', handle: "true" }),
      nodeRecord("said", { output: '"x"', answer: JSON.stringify(answer) }),
      nodeRecord("broke", { status: "failed", output: null, error: '{"message":"no","code":"NO"}' }),
      nodeRecord("open", { status: "running", completedAt: null, output: null }),
      nodeRecord("stopped", { status: "cancelled", output: null }),
    ];
    await recordNodes({ executionId: id, fence: 1, nodes, logs: [] });
    const known = (await recordedOutcomes([id])).get(id) ?? new Map();
    expect(Object.fromEntries(known)).toEqual({
      done: { status: "completed", output: { value: { a: 1 }, json: '{"a":1}' }, handle: "true" },
      said: { status: "completed", output: { value: "x", json: '"x"' }, handle: null, answer },
      broke: { status: "failed", error: { message: "no", code: "NO" } },
    });
  });
});

describe("a write whose answer is lost", () => {
  test("is repeated without duplicating a log entry", async () => {
    const id = await storedExecution(flow, "me");
    const entry = (message: string) => ({
      timestamp: "2026-01-31T10:00:00.123Z",
      level: "info" as const,
      nodeId: "a",
      message,
      data: null,
    });
    const send = pool().query.bind(pool()) as (...given: unknown[]) => Promise<unknown>;
    const lose = async (...given: unknown[]) => {
      await send(...given);
      throw Object.assign(new Error("the connection is gone"), { code: "ECONNRESET" });
    };
    const lost = vi.spyOn(pool(), "query").mockImplementationOnce(lose as never);
    const logs = [entry("one"), entry("one"), entry("two")];
    expect(await recordNodes({ executionId: id, fence: 1, nodes: [nodeRecord("a")], logs })).toBe("running");
    expect(lost).toHaveBeenCalledTimes(2);
    lost.mockRestore();
    const stored = await database().logEntry.findMany({ where: { executionId: id }, orderBy: { id: "asc" } });
    expect(stored.map(({ message }) => message)).toEqual(["one", "one", "two"]);
  });
});
