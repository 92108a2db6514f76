import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { StreamEvent } from "#lib/contract/executions/stream.ts";
import { stepSeparator } from "#lib/engine/flow.ts";
import { readExecution } from "#lib/executions/read-execution.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { recordNodes } from "#lib/executions/store/record-nodes.ts";
import { finished, nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { query } from "#lib/platform/database.ts";
import { streamExecution } from "./stream-execution.ts";
import { streamedTexts } from "./streamed-texts.ts";

let actor: Actor;
let flow: StartedFlow;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  flow = await storedFlow(actor);
});

const follow = (id: string, lastEventId: number | null = null) => {
  const options = {
    lastEventId: lastEventId === null ? null : String(lastEventId),
    includeNodeOutputs: false,
    includeItemCounts: false,
    includeText: true,
  };
  return streamExecution(actor, id, options, new AbortController().signal);
};
const logged = (message: string) => ({
  timestamp: new Date().toISOString(),
  level: "info" as const,
  nodeId: "say",
  message,
  data: null,
});
const brief = (event: StreamEvent) => {
  if (event.event === "execution") return event.data.status;
  if (event.event === "node") return `${event.data.nodeId} ${event.data.status}`;
  if (event.event === "text") return `${event.data.nodeId} says ${event.data.text}`;
  return event.data.nodeId === null ? event.data.id : event.data.message;
};
const logIds = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => (event.event === "log" ? [event.data.id] : []));

async function nextOf(events: AsyncGenerator<StreamEvent, void, undefined>, count: number): Promise<StreamEvent[]> {
  const taken: StreamEvent[] = [];
  while (taken.length < count) {
    const { done, value } = await events.next();
    if (done === true) break;
    taken.push(value);
  }
  return taken;
}

const waits = (id: string, step: string) =>
  query(
    "test-wait",
    `INSERT INTO execution_wait (execution_id, step_id, kind, state, created_at) VALUES ($1, $2, 'call', '{}', now())`,
    [id, step],
  );

test("a stream has everything in the log, from start to end, and resumes from any of its events", async () => {
  const id = await storedExecution(flow, "me");
  const fence = 1;
  const record = (nodes: ReturnType<typeof nodeRecord>[], ...messages: string[]) =>
    recordNodes({ executionId: id, fence, nodes, logs: messages.map(logged) });
  await record([nodeRecord("say")], "one", "two");
  const events = follow(id);
  const received = await nextOf(events, 4);
  expect(received.map(brief)).toEqual(["running", "started", "one", "two"]);

  await waits(id, "ask");
  await record([nodeRecord("ask", { status: "running", completedAt: null })]);
  received.push(...(await nextOf(events, 2)));
  expect(received.slice(4).map(brief)).toEqual(["waiting:ask", "ask running"]);

  await query("test-resume", "UPDATE execution_wait SET resumed_at = now() WHERE execution_id = $1", [id]);
  await record([nodeRecord("ask")], "three");
  received.push(...(await nextOf(events, 3)));
  expect(received.slice(6).map(brief).toSorted()).toEqual(["ask completed", "three", "woken:ask"]);

  await finishExecution(finished(id, fence));
  for await (const event of events) received.push(event);
  expect(received.slice(9).map(brief)).toEqual(["ended", "completed"]);

  const { logs } = await readExecution(actor, id, { includeLogs: true, includeNodeOutputs: false });
  expect(logIds(received).toSorted()).toEqual(logs?.map((entry) => entry.id).toSorted());
  const ids = received.map((event) => event.id);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));

  for (const [index, event] of received.entries()) {
    const rest: StreamEvent[] = [];
    for await (const later of follow(id, event.id)) rest.push(later);
    expect(rest.every((later) => later.id > event.id)).toBe(true);
    const missing = logIds(received.slice(index + 1));
    expect(logIds(rest)).toEqual(expect.arrayContaining(missing));
    // The start is repeated only to a client that has no later change.
    const mayRepeat = received
      .slice(0, index + 1)
      .every((before) => before.event === "execution" || brief(before) === "started");
    if (!mayRepeat) expect(logIds(rest)).not.toContain("started");
    expect(new Set(logIds(rest)).size).toBe(logIds(rest).length);
  }
});

test("a model's text is streamed as it arrives, and dropped when it has ended", async () => {
  const id = await storedExecution(flow, "me");
  const step = `ask${stepSeparator}3`;
  const events = follow(id);
  const [first] = await nextOf(events, 1);
  streamedTexts().set(id, step, () => "It");
  streamedTexts().set(id, step, () => "It takes");
  const received: StreamEvent[] = [];
  for await (const event of events) {
    received.push(event);
    if (event.event !== "text") continue;
    expect(event).toEqual({
      id: received.at(-2)?.id ?? first?.id,
      event: "text",
      data: { nodeId: "ask", iteration: "3", text: "It takes" },
    });
    break;
  }
  expect(streamedTexts().hasListeners(id)).toBe(false);
  streamedTexts().set(id, step, () => "\ud83d\ude00".repeat(20_000));
  expect(streamedTexts().of(id)[0]?.text).toHaveLength(32_769);
  streamedTexts().set(id, step, null);
  expect(streamedTexts().of(id)).toEqual([]);
});
