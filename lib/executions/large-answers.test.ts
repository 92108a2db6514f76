// The largest answers about a run are written without blocking the event loop.
import { beforeAll, expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { streamExecution as endpoint } from "#lib/contract/executions/stream.ts";
import { evaluateExpression as evaluateEndpoint } from "#lib/contract/flows/checks.ts";
import { stepSeparator } from "#lib/engine/flow.ts";
import { eventStream } from "#lib/http/event-stream.ts";
import { query, queryPlanned } from "#lib/platform/database.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import { iterationText } from "./iterations.ts";
import { streamExecution } from "./live/stream-execution.ts";
import { evaluateExpression } from "./nodes/evaluate-expression.ts";
import { logText } from "./read-logs.ts";
import { finishExecution } from "./store/finish-execution.ts";
import { recordNodes } from "./store/record-nodes.ts";
import { finished, nodeRecord, storedExecution, storedFlow } from "./testing/stored-runs.ts";

let actor: Actor;
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});

const ids = Array.from({ length: 10 }, (_, n) => `n${n}`);
const nodes = ids.map((id) => ({
  id,
  name: id,
  type: "transform",
  position: { x: 0, y: 0 },
  config: { transform: "1" },
}));
const loop = { id: "each", name: "each", type: "loop", position: { x: 0, y: 0 } };
/** Over 3 MB of small values, which take longest to parse and to write. */
const whole = JSON.stringify(Array.from({ length: 280_000 }, (_, n) => [n % 10, { a: n % 10 }]));

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return text;
}

test("the stream of a run with outputs of over 30 MB", async () => {
  const id = await storedExecution(await storedFlow(actor, nodes), "test");
  await recordNodes({
    executionId: id,
    fence: 1,
    nodes: ids.map((node) => nodeRecord(node, { output: whole })),
    logs: [],
  });
  await finishExecution(finished(id, 1));
  const options = { lastEventId: null, includeNodeOutputs: true, includeItemCounts: false, includeText: false };
  let bytes = 0;
  const follow = async () => {
    const disconnected = new AbortController();
    const events = streamExecution(actor, id, options, disconnected.signal);
    const { body } = await eventStream(events, { schema: endpoint.answer, disconnected, isAdmitted: async () => true });
    for await (const part of body ?? []) bytes += part.length;
  };
  expect(await longestTurn(follow)).toBeLessThan(100);
  expect(bytes).toBeGreaterThan(30_000_000);
});

test("an iteration with outputs of over 30 MB", async () => {
  const flow = await storedFlow(actor, [{ ...loop, config: { items: "{{ [1] }}", body: { nodes, edges: [] } } }]);
  const id = await storedExecution(flow, "test");
  const steps = ids.map((node) => nodeRecord(`${node}${stepSeparator}0`, { output: whole }));
  await recordNodes({ executionId: id, fence: 1, nodes: steps, logs: [] });
  await finishExecution(finished(id, 1));
  let text = "";
  const read = async () => {
    text = await textOf(iterationText(actor, id, "each", "0"));
  };
  expect(await longestTurn(read)).toBeLessThan(100);
  const shown = JSON.parse(text);
  expect(shown).toMatchObject({ iteration: "0", status: "completed", nodesExecuted: 10 });
  expect(shown.nodes[9]).toMatchObject({ nodeId: "n9", status: "completed" });
  expect(shown.nodes[9].output).toHaveLength(280_000);
});

test("a log with 10 MiB of data", async () => {
  const id = await storedExecution(await storedFlow(actor, nodes), "test");
  const data = `${whole.slice(0, whole.lastIndexOf(",[", 65_000))}]`;
  await queryPlanned(
    `INSERT INTO log_entry (execution_id, timestamp, level, node_id, message, data)
     SELECT $1, now(), 'info', 'n0', 'entry ' || n, $2 FROM generate_series(1, 160) AS n`,
    [id, data],
  );
  await query("end", "UPDATE execution SET status = 'completed', completed_at = now(), duration_ms = 5 WHERE id = $1", [
    id,
  ]);
  let text = "";
  const read = async () => {
    text = await textOf(logText(actor, id, {}));
  };
  expect(await longestTurn(read)).toBeLessThan(100);
  const log = JSON.parse(text);
  expect(log).toHaveLength(162);
  expect(log[1]).toEqual({
    id: expect.any(String),
    timestamp: expect.any(String),
    level: "info",
    nodeId: "n0",
    message: "entry 1",
    data: JSON.parse(data),
  });
});

test("an expression over outputs of over 15 MB", async () => {
  const id = await storedExecution(await storedFlow(actor, nodes), "test");
  const some = ids.slice(0, 5);
  const records = some.map((node) => nodeRecord(node, { output: whole }));
  await recordNodes({ executionId: id, fence: 1, nodes: records, logs: [] });
  let characters = 0;
  const run: Sandbox["run"] = async ({ scope }) => {
    characters = scope.$nodes?.length ?? 0;
    return { results: [{ ok: true, json: "7", type: "number" }] } as unknown as Awaited<ReturnType<Sandbox["run"]>>;
  };
  const body = evaluateEndpoint.body.parse({ expression: "$nodes", executionId: id });
  const evaluate = async () => {
    expect(await evaluateExpression(actor, body, { run } as unknown as Sandbox)).toMatchObject({ ok: true });
  };
  expect(await longestTurn(evaluate)).toBeLessThan(100);
  expect(characters).toBe(`{${some.map((node) => `"${node}":{"output":${whole}}`).join(",")}}`.length);
});
