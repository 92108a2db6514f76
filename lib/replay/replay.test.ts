// The replay driver: the same engine as in every run, with recordings in place of the outside.
import { afterAll, describe, expect, test } from "vitest";
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import { definitionOf, edge, node } from "#lib/engine/testing/flows.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { expectationOf } from "./comparison/expectation.ts";
import { prepareReplay } from "./prepare.ts";
import type { Recording } from "./recording.ts";
import { emptyTrigger, replay } from "./replay.ts";

const sandbox = createSandbox({ children: 2 });
afterAll(() => sandbox.close());

interface Given {
  readonly nodes: readonly FlowNode[];
  readonly edges?: readonly (string | FlowEdge)[];
  readonly recordings?: Readonly<Record<string, Recording>>;
  readonly body?: unknown;
}

const now = "2026-01-31T10:00:00.000Z";
const run = ({ nodes, edges = [], recordings = {}, body = {} }: Given) =>
  replay(
    prepareReplay(definitionOf(nodes, edges)),
    { trigger: { ...emptyTrigger, body }, now, recordings },
    { flowName: "Test", sandbox, owner: "ws" },
  );
const statuses = (replayed: Awaited<ReturnType<typeof run>>) =>
  Object.fromEntries([...replayed.nodes].map(([id, { status }]) => [id, status]));

const transform = (id: string, text: string, more = {}) => node(id, "transform", { transform: text, ...more });
const call = (id: string, more = {}) => node(id, "http-request", { method: "POST", url: "https://api.test/", ...more });
const answer = (body: unknown, status = 200) => ({ output: { status, headers: {}, body } });

describe("a replay", () => {
  test("runs the flow, and takes effects from their recordings", async () => {
    const nodes = [
      call("pay", { body: { amount: "{{ $trigger.body.n * 2 }}" } }),
      transform("id", "$node.output.body.id"),
    ];
    const replayed = await run({
      nodes,
      edges: ["pay -> id"],
      recordings: { pay: answer({ id: 17 }) },
      body: { n: 21 },
    });
    expect(replayed).toMatchObject({ status: "completed", output: 17, notRecorded: [] });
    expect(replayed.nodes.get("pay")?.request).toEqual({
      method: "POST",
      url: "https://api.test/",
      headers: { "content-type": "application/json", "idempotency-key": `exec_${"0".repeat(26)}.pay` },
      body: { amount: 42 },
    });
  });

  test("neither reads nor writes a table: the recording gives the result", async () => {
    const insert = node("keep", "table", { action: "insert", table: "orders", row: { n: "{{ $trigger.body.n }}" } });
    const output = { row: { id: "row_1", n: 7 }, rows: [{ id: "row_1", n: 7 }], count: 1 };
    const flow = { nodes: [insert, transform("id", "$node.output.row.id")], edges: ["keep -> id"], body: { n: 7 } };
    const replayed = await run({ ...flow, recordings: { keep: { output } } });
    expect(replayed).toMatchObject({ status: "completed", output: "row_1" });
    expect(replayed.nodes.get("keep")?.request).toMatchObject({ table: "orders", row: { n: 7 } });
    const error = { code: "UNIQUE_VALUE_TAKEN", message: "row.n: there is a row with this value already" };
    const failed = await run({ ...flow, recordings: { keep: { error } } });
    expect(failed.nodes.get("keep")).toMatchObject({ status: "failed", error });
    expect((await run(flow)).notRecorded).toEqual(["keep"]);
  });

  test("never reaches the outside: a node without a recording fails and is named, even if failures are caught", async () => {
    const nodes = [call("a", { onError: "continue" }), call("b"), transform("caught", "1")];
    const replayed = await run({ nodes, edges: ["b:error -> caught"] });
    expect(replayed.notRecorded.toSorted()).toEqual(["a", "b"]);
    const waits = [node("sub", "sub-flow", { flowId: "flow_x" })];
    expect((await run({ nodes: waits })).notRecorded).toEqual(["sub"]);
  });

  test("sees the same time, random numbers and ids in every replay", async () => {
    const text =
      "[Date.now(), new Date().toISOString(), Date().length, new Date(0).getTime(), new (new Date().constructor)().getTime(), Math.random(), Math.random(), $execution.id, $execution.startedAt, $flow.id, typeof performance]";
    const code = node("code", "code", {
      code: "class Late extends Date {}; return [new Late().getTime(), new Date() instanceof Date, Math.random()]",
    });
    const first = await run({ nodes: [transform("here", text), code] });
    const [at, iso, , epoch, again] = (first.nodes.get("here")?.output ?? []) as unknown[];
    expect([at, iso, epoch, again]).toEqual([Date.parse(now), now, 0, Date.parse(now)]);
    expect(first.nodes.get("code")?.output).toEqual([Date.parse(now), true, expect.any(Number)]);
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await run({ nodes: [transform("here", text), code] })).toEqual(first);
    }
  });

  test("retries as the node says, over the sequence of recorded attempts", async () => {
    const sequence = [{ error: { code: "TIMEOUT", message: "too late" } }, answer(null, 503), answer({ ok: true })];
    const nodes = [call("call", { retry: { maxRetries: 3 } }), transform("ok", "$node.output.body.ok")];
    const tried = await run({ nodes, edges: ["call -> ok"], recordings: { call: { sequence } } });
    expect(tried).toMatchObject({ status: "completed", output: true });
    const once = await run({ nodes: [call("call")], recordings: { call: { sequence } } });
    expect(once).toMatchObject({
      status: "failed",
      failure: { nodeId: "call", error: { code: "TIMEOUT", message: "too late" } },
    });
  });

  test("fails the node on an error status as a run would, and follows its error edge", async () => {
    const nodes = [call("call"), transform("caught", "$node.output.error.code")];
    const failed = await run({ nodes, edges: ["call:error -> caught"], recordings: { call: answer(null, 404) } });
    expect(failed).toMatchObject({ status: "completed", output: "HTTP_STATUS" });
    const error = { code: "CONNECT_FAILED", message: "Nobody answers" };
    const recorded = await run({ nodes, edges: ["call:error -> caught"], recordings: { call: { error } } });
    expect(recorded).toMatchObject({ output: "CONNECT_FAILED" });
  });

  test("a loop takes one recording of the sequence for each item, in order, whatever its concurrency", async () => {
    const body = {
      nodes: [call("call", { body: "{{ $item }}" }), transform("sum", "$item + $nodes['call'].output.body")],
      edges: [{ source: "call", target: "sum" }],
    };
    const nodes = [
      node("loop", "loop", {
        items: "{{ $trigger.body.items }}",
        concurrency: 5,
        body: JSON.parse(JSON.stringify(body)),
      }),
    ];
    const sequence = [answer(10), answer(20), answer(30)];
    const replayed = await run({ nodes, recordings: { call: { sequence } }, body: { items: [1, 2, 3, 4] } });
    expect(replayed.output).toEqual([11, 22, 33, 34]);
    const sent = replayed.nodes.get("call")?.request as { body: unknown }[];
    expect(sent.map(({ body: item }) => item)).toEqual([1, 2, 3, 4]);
  });

  test("the attempts of an iteration take the same recording, by iteration if it is recorded", async () => {
    const body = { nodes: [call("call", { retry: { maxRetries: 2 }, onError: "continue" })], edges: [] };
    const nodes = [node("loop", "loop", { items: "{{ [1, 2] }}", body: JSON.parse(JSON.stringify(body)) })];
    const sequence = [{ error: { code: "TIMEOUT", message: "too late" } }, answer("two")];
    const caught = { error: { code: "TIMEOUT", message: "too late" } };
    expect((await run({ nodes, recordings: { call: { sequence } } })).output).toMatchObject([caught, { body: "two" }]);
    const recorded = sequence.map((entry, index) => ({ ...entry, iteration: String(1 - index) }));
    const turned = await run({ nodes, recordings: { call: { sequence: recorded } } });
    expect(turned.output).toMatchObject([{ body: "two" }, caught]);
  });

  test("keeps no more requests than a run may have outputs", async () => {
    const body = { nodes: [call("call", { body: "{{ 'x'.repeat(900000) }}" })], edges: [] };
    const items = "{{ Array.from({ length: 80 }, (_, n) => n) }}";
    const nodes = [node("loop", "loop", { items, body: JSON.parse(JSON.stringify(body)) })];
    const replayed = await run({ nodes, recordings: { call: answer(1) } });
    expect(replayed).toMatchObject({ status: "failed", failure: { error: { code: "OUTPUT_TOO_LARGE" } } });
  });

  test("a sub-flow is one effect, and fails as recorded", async () => {
    const nodes = [
      node("sub", "sub-flow", { flowId: "flow_x", data: { n: 1 } }),
      transform("after", "$node.output.output + 1"),
    ];
    const output = { executionId: "exec_other", status: "completed", output: 41 };
    const replayed = await run({ nodes, edges: ["sub -> after"], recordings: { sub: { output } } });
    expect(replayed).toMatchObject({ status: "completed", output: 42 });
    expect(replayed.nodes.get("sub")).toMatchObject({ output, request: { flowId: "flow_x", data: { n: 1 } } });
    const error = { code: "SUB_FLOW_FAILED", message: "it ended as failed" };
    expect(await run({ nodes, edges: ["sub -> after"], recordings: { sub: { error } } })).toMatchObject({
      status: "failed",
      failure: { nodeId: "sub", error },
    });
  });

  test("waits end by a recorded answer, the time limit, or the end of a delay", async () => {
    const nodes = [
      node("delay", "delay", { ms: 3_600_000 }),
      node("wait", "wait", { timeoutMs: 1_000 }),
      transform("late", "'late'"),
      transform("answered", "$node.output.body.ok"),
    ];
    const edges = ["delay -> wait", "wait:timeout -> late", "wait -> answered"];
    const body = { ok: true };
    const woken = { output: { body, resumedAt: "2026-01-31T11:00:00.000Z", resumedBy: null } };
    expect((await run({ nodes, edges, recordings: { wait: woken } })).output).toBe(true);
    const timedOut = {
      output: { body: null, resumedAt: null, resumedBy: null, timedOutAt: "2026-01-31T11:00:01.000Z" },
    };
    expect((await run({ nodes, edges, recordings: { wait: timedOut } })).output).toBe("late");
    const error = { code: "WAIT_TIMEOUT", message: "Nobody answered" };
    expect((await run({ nodes, edges, recordings: { wait: { error } } })).output).toBe("late");
    expect((await run({ nodes, edges })).notRecorded).toEqual(["wait"]);
  });

  test("a wait that continues after its time limit leaves by its plain edge", async () => {
    const nodes = [
      node("wait", "wait", { timeoutMs: 1_000, onError: "continue" }),
      transform("after", "$node.output.error.code"),
    ];
    const error = { code: "WAIT_TIMEOUT", message: "Nobody answered" };
    const replayed = await run({ nodes, edges: ["wait -> after"], recordings: { wait: { error } } });
    expect(replayed).toMatchObject({ status: "completed", output: "WAIT_TIMEOUT" });
  });

  test("a failure parallel to an effect stops what would follow the effect, in every replay", async () => {
    const nodes = [call("slow"), call("never"), transform("breaks", "$trigger.body.missing.x")];
    const given = { nodes, edges: ["slow -> never"], recordings: { slow: answer(1) } };
    for (let turn = 0; turn < 20; turn += 1) {
      const replayed = await run(given);
      expect(replayed).toMatchObject({ status: "failed", failure: { nodeId: "breaks" }, notRecorded: [] });
      expect(statuses(replayed)).toEqual({ slow: "completed", never: "skipped", breaks: "failed" });
    }
  });

  test("a disabled node sends nothing and needs no recording: its input is passed on", async () => {
    const nodes = [{ ...call("off"), disabled: true }, transform("after", "$node.output.n")];
    expect(await run({ nodes, edges: ["off -> after"], body: { n: 7 } })).toMatchObject({ output: 7, notRecorded: [] });
  });

  test("a stop abandons waits without a recording", async () => {
    const nodes = [node("wait", "wait", {}), node("stop", "stop", { output: { done: true } })];
    expect(await run({ nodes })).toMatchObject({ status: "completed", output: { done: true }, notRecorded: [] });
  });

  test("has no secrets: each is masked", async () => {
    const nodes = [
      call("call", {
        credential: "shop",
        headers: { "x-key": "{{ $credentials.bare }}", "x-id": "{{ $credentials.shop.token }}" },
      }),
    ];
    const replayed = await run({ nodes, recordings: { call: answer(1) } });
    const headers = (replayed.nodes.get("call")?.request as { headers: object } | undefined)?.headers;
    expect(headers).toMatchObject({ authorization: "Bearer •••", "x-key": "•••", "x-id": "•••" });
  });

  test("runs all of 1,000 nodes", async () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `n${index}`);
    const nodes = ids.map((id, index) => transform(id, index === 0 ? "1" : "$node.output + 1"));
    const edges = ids.slice(1).map((id, index) => edge(`n${index} -> ${id}`));
    expect((await run({ nodes, edges })).output).toBe(1_000);
  });

  test("rejects with the reason when aborted", async () => {
    const stop = new AbortController();
    const nodes = [transform("endless", "(() => { for (;;); })()")];
    const going = replay(
      prepareReplay(definitionOf(nodes, [])),
      { trigger: emptyTrigger, now, recordings: {} },
      { flowName: "Test", sandbox, owner: "ws", signal: stop.signal },
    );
    stop.abort(new Error("enough"));
    await expect(going).rejects.toThrow("enough");
  });

  test("expects the next replay's results and, for an effect, only what was sent", async () => {
    const nodes = [call("call"), transform("id", "$node.output.body.id"), node("note", "log", { message: "hello" })];
    const recordings = { call: answer({ id: 1 }) };
    const expected = expectationOf(await run({ nodes, edges: ["call -> id"], recordings }), recordings);
    expect(expected).toMatchObject({ status: "completed", nodes: { id: { status: "completed", output: 1 } } });
    expect(expected.nodes?.call).not.toHaveProperty("output");
    expect(expected.nodes?.note).toMatchObject({ request: { message: "hello" } });
  });
});
