// A large run is read without holding all of it in memory, and gives the same result as reading it at once.
import { beforeAll, describe, expect, test, vi } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { node } from "#lib/engine/testing/flows.ts";
import { exportFlow, exportWithExecutions } from "#lib/flows/export-flow.ts";
import { jsonStream } from "#lib/http/json-stream.ts";
import { pool } from "#lib/platform/database.ts";
import { executionText, nodeExecutionText } from "./execution-text.ts";
import { readExecution } from "./read-execution.ts";
import { finishExecution } from "./store/finish-execution.ts";
import type { StartedFlow } from "./store/new-execution.ts";
import { recordNodes } from "./store/record-nodes.ts";
import { finished, nodeRecord, storedExecution, storedFlow } from "./testing/stored-runs.ts";

const everything = { includeLogs: true, includeNodeOutputs: true };
const mib = 1_048_576;
const nodesCount = 6;
const largeBytes = 400_000;
let actor: Actor;
let flow: StartedFlow;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  const nodes = Array.from({ length: nodesCount }, (_, index) => node(`n${index}`, "log", { message: "x" }));
  flow = await storedFlow(actor, [...nodes, node("never", "log", { message: "x" })]);
});

/** An ended run whose nodes each returned this many bytes. */
async function ended(outputBytes: number): Promise<string> {
  const id = await storedExecution(flow, "me");
  const output = JSON.stringify("\u0000ü".padEnd(outputBytes, "x"));
  const nodes = Array.from({ length: nodesCount }, (_, position) =>
    nodeRecord(`n${position}`, { position, output, input: '{"a":1}' }),
  );
  const failure = { status: "failed", output: null, error: JSON.stringify({ message: "no", code: "NO" }) } as const;
  await recordNodes({
    executionId: id,
    fence: 1,
    nodes: [...nodes.slice(1), { ...nodeRecord("n0"), ...failure }],
    logs: [],
  });
  await finishExecution(finished(id, 1, { output: `{"a":${output}}` }));
  return id;
}

async function textOf(chunks: AsyncGenerator<string>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return text;
}

describe("an execution read in pieces", () => {
  test.each([10, largeBytes])("equals the whole, with outputs of %i bytes", async (bytes) => {
    const id = await ended(bytes);
    for (const includeNodeOutputs of [true, false]) {
      const options = { includeLogs: true, includeNodeOutputs };
      const atOnce = await readExecution(actor, id, options);
      expect(JSON.parse(await textOf(executionText(actor, id, options)))).toEqual(JSON.parse(JSON.stringify(atOnce)));
      expect(atOnce.output).not.toBeNull();
    }
  });

  test("has the same nodes when they are read one by one", async () => {
    const id = await ended(largeBytes);
    const { nodes } = JSON.parse(await textOf(executionText(actor, id, everything))) as { nodes: { nodeId: string }[] };
    expect(nodes).toHaveLength(nodesCount + 1);
    for (const item of nodes) {
      expect(JSON.parse(await textOf(nodeExecutionText(actor, id, item.nodeId)))).toEqual(item);
    }
    for (const nodeId of ["nobody", "n\u0000"]) {
      await expect(nodeExecutionText(actor, id, nodeId).next()).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });

  test("is read about one MiB at a time", async () => {
    const id = await ended(largeBytes);
    const chunks: number[] = [];
    for await (const chunk of executionText(actor, id, everything)) chunks.push(chunk.length);
    expect(Math.max(...chunks)).toBeLessThan(1.1 * mib);
    expect(chunks.length).toBeGreaterThan(nodesCount);
  });

  test("is not found from another workspace", async () => {
    const id = await ended(10);
    await expect(executionText(await newActor(), id, everything).next()).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("an export with executions", () => {
  const exported = async (of = flow) => {
    const document = await exportFlow(actor, of.id, { includeVariables: true });
    return { document, chunks: exportWithExecutions(actor, of.id, document) };
  };

  test("has every run in full, latest first", async () => {
    const other = await storedFlow(actor, [node("n0", "log", { message: "x" })]);
    expect(JSON.parse(await textOf((await exported(other)).chunks)).executions).toEqual([]);
    const { document, chunks } = await exported();
    const { executions, ...rest } = JSON.parse(await textOf(chunks));
    expect(rest).toEqual(JSON.parse(JSON.stringify(document)));
    expect(executions.length).toBeGreaterThanOrEqual(3);
    const [latest] = executions;
    const everything = await readExecution(actor, latest.id, { includeLogs: true, includeNodeOutputs: true });
    expect(latest).toEqual(JSON.parse(JSON.stringify(everything)));
  });

  test("stops reading while its reader pauses, and for good when the reader leaves", async () => {
    const { chunks } = await exported();
    const answer = await jsonStream(chunks, { status: 200, headers: {}, before: "", after: "" });
    const reader = answer.body?.getReader();
    await reader?.read();
    const sent = vi.spyOn(pool(), "query");
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(sent).not.toHaveBeenCalled();
    await reader?.cancel();
    expect((await chunks.next()).done).toBe(true);
    sent.mockRestore();
  });
});
