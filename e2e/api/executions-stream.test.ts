import { describe, expect, it } from "vitest";
import { call, del, get, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { EventReader, type SentEvent } from "#e2e/support/event-stream.ts";
import { createFlow, edge, ended, node, readExecution, start, transform } from "#e2e/support/flows.ts";
import { openWait } from "#e2e/support/open-wait.ts";

/** A run held between two nodes that log. */
async function heldRun() {
  const sink = await countingServer(() => "hold");
  const nodes = [
    node("before", "log", { message: "before the call" }),
    node("call", "http-request", { url: sink.url }),
    node("after", "log", { message: "after the call", level: "warning" }),
  ];
  const flow = await createFlow({ nodes, edges: [edge("before", "call"), edge("call", "after")] });
  const id = await start(flow.id);
  await sink.until(1);
  return { id, sink };
}

const open = (id: string, query = "", lastEventId?: number) =>
  EventReader.open(`/executions/${id}/stream${query}`, {
    ...(lastEventId === undefined ? {} : { headers: { "last-event-id": String(lastEventId) } }),
  });
const brief = ({ event, data }: SentEvent) => {
  if (event === "execution") return data.status;
  return event === "log" ? `log ${data.message}` : `${data.nodeId} ${data.status}`;
};
const ascends = (events: readonly SentEvent[]) =>
  events.every(({ id }, index) => index === 0 || id > (events[index - 1]?.id ?? 0));

describe("a followed run", () => {
  // Proves beyond.stream
  it("is sent as it is, then change by change, finally as it ended; then the stream ends", async () => {
    const { id, sink } = await heldRun();
    const reader = await open(id);
    expect(reader.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(reader.response.headers.get("cache-control")).toBe("no-store, no-transform");
    await reader.until("the log so far comes", ({ data }) => data.message === "before the call");
    expect(reader.events.map(brief)).toEqual(["running", "log Started by the API", "log before the call"]);
    expect(reader.events[0]?.data.nodes.map(({ nodeId, status }: never) => [nodeId, status])).toEqual([
      ["before", "completed"],
      ["call", "running"],
      ["after", "pending"],
    ]);

    sink.release();
    await reader.ended;
    // A poll may come while the last node runs.
    const logged = reader.events
      .slice(3)
      .map(brief)
      .filter((change) => change !== "after running");
    expect(logged.slice(0, -2).toSorted()).toEqual(["after completed", "call completed", "log after the call"]);
    expect(logged.at(-2)).toMatch(/^log Completed in /);
    expect(logged.at(-1)).toBe("completed");
    expect(ascends(reader.events)).toBe(true);
    const { logs: _, ...expected } = await readExecution(id);
    expect(reader.events.at(-1)?.data).toEqual(expected);
  });

  it("says of each node what the run itself says: that it was disabled, its effect, and what it waits for", async () => {
    const nodes = [
      transform("first", "1"),
      { ...node("off", "log", { message: "x" }), disabled: true },
      node("hold", "delay", { ms: 1_500 }),
      node("pause", "delay", { ms: 3_600_000 }),
    ];
    const edges = [edge("first", "off"), edge("first", "hold"), edge("hold", "pause")];
    const id = await start((await createFlow({ nodes, edges })).id);
    const reader = await open(id);
    await reader.until("the last wait is told", ({ data }) => data.id === "waiting:pause");
    // From the first event on: a stream is resumed with its changes only.
    const resumed = await open(id, "", 1);
    await resumed.until("the last wait is told", ({ data }) => data.id === "waiting:pause");
    const events = resumed.events.filter(({ event }) => event === "node").map(({ data }) => data);
    const run = await readExecution(id);
    for (const event of events) {
      expect(event).toEqual(run.nodes.find(({ nodeId }) => nodeId === event.nodeId));
    }
    expect(events).toContainEqual(expect.objectContaining({ nodeId: "off", disabled: true, effect: "none" }));
    await post(`/executions/${id}/cancel`, {});
    await Promise.all([reader.ended, resumed.ended]);
  });

  it("has every entry of its log once, including what it waited for and how it continued", async () => {
    const nodes = [
      transform("url", "$resume['ask']"),
      node("say", "log", { message: "said" }),
      node("pause", "delay", { ms: 1_500 }),
      node("ask", "wait"),
    ];
    const edges = [edge("url", "say"), edge("say", "pause"), edge("pause", "ask")];
    const id = await start((await createFlow({ nodes, edges })).id);
    const reader = await open(id);
    const address = await openWait("ask", () => readExecution(id, "?includeNodeOutputs=true"));
    await reader.until("the wait is told", ({ data }) => data.id === "waiting:ask");
    await fetch(address, { method: "POST" });
    await reader.ended;
    const logged = (events: readonly SentEvent[]) =>
      events.flatMap(({ event, data }) => (event === "log" ? [data] : []));
    const { data: log } = await get<{ id: string }[]>(`/executions/${id}/logs`);
    expect(logged(reader.events).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      log.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    expect(log.map((entry) => entry.id)).toEqual(
      expect.arrayContaining(["started", "waiting:pause", "woken:pause", "waiting:ask", "woken:ask", "ended"]),
    );
    expect(ascends(reader.events)).toBe(true);

    // What is missing comes, and what had come long before does not.
    const from = reader.events.findIndex(({ data }) => data.id === "waiting:ask");
    const second = await open(id, "", reader.events[from]?.id);
    await second.ended;
    const ids = logged(second.events).map((entry) => entry.id);
    expect(ids).toEqual(expect.arrayContaining(["woken:ask", "ended"]));
    expect(ids).not.toContain("started");
    expect(second.events.every((event) => event.id > (reader.events[from]?.id ?? 0))).toBe(true);
    expect(ascends(second.events)).toBe(true);
  });

  it("with includeItemCounts has the sizes of outputs and the lengths of lists, but not the outputs", async () => {
    const flow = await createFlow({
      nodes: [
        node("list", "transform", { transform: "[1, [2], 3]" }),
        node("text", "transform", { transform: "'[1]'" }),
      ],
    });
    const id = await start(flow.id);
    await ended(id);
    const reader = await open(id, "?includeItemCounts=true");
    await reader.ended;
    const [list, text] = reader.events.at(-1)?.data.nodes ?? [];
    expect(list).toMatchObject({ nodeId: "list", items: 3, outputBytes: "[1,[2],3]".length });
    expect(text).toMatchObject({ outputBytes: '"[1]"'.length });
    expect(text).not.toHaveProperty("items");
    expect(list).not.toHaveProperty("output");
  });

  it("is sent with what its own process does", async () => {
    const { id } = await heldRun();
    const reader = await open(id);
    await reader.until("the run is told", () => true);
    await post(`/executions/${id}/cancel`, {});
    await reader.until("the end is told", ({ data }) => data.status === "cancelled");
  });

  it("has inputs and outputs on request only", async () => {
    const { id, sink } = await heldRun();
    const [plain, withOutputs] = [await open(id), await open(id, "?includeNodeOutputs=true")];
    await Promise.all([plain, withOutputs].map((reader) => reader.until("the run is told", () => true)));
    sink.release();
    await Promise.all([plain.ended, withOutputs.ended]);
    const call = (reader: EventReader) => reader.events.findLast(({ data }) => data.nodeId === "call")?.data;
    expect(call(withOutputs).output).toMatchObject({ status: 200, body: { ok: true } });
    expect(call(plain)).not.toHaveProperty("output");
    expect(withOutputs.events.at(-1)?.data).toEqual(
      (({ logs: _, ...rest }) => rest)(await readExecution(id, "?includeNodeOutputs=true")),
    );
  });

  it("ends with its cancellation, and nodes in progress are sent as cancelled", async () => {
    const { id } = await heldRun();
    const reader = await open(id);
    await reader.until("the run is told", () => true);
    await post(`/executions/${id}/cancel`, { reason: "enough" });
    await reader.ended;
    const last = reader.events.at(-1);
    expect(last?.data).toMatchObject({ status: "cancelled", reason: "enough" });
    expect(last?.data.nodes[1].status).toBe("cancelled");
  });

  it("ends when its record is deleted, and cannot be followed again", async () => {
    const { id } = await heldRun();
    const reader = await open(id);
    await reader.until("the run is told", () => true);
    await del(`/executions/${id}`);
    await reader.ended;
    expect((await open(id, "", reader.events.at(-1)?.id)).response.status).toBe(404);
  });
});

describe("a client that was disconnected", () => {
  // Proves beyond.stream-resume
  it("resumes after its last event: nothing twice, nothing missing", async () => {
    const { id, sink } = await heldRun();
    const first = await open(id);
    const log = await first.until("the log so far comes", ({ data }) => data.message === "before the call");
    first.leave();
    sink.release();
    await ended(id);
    const second = await open(id, "", log.id);
    await second.ended;
    expect(second.events.every((event) => event.id > log.id)).toBe(true);
    expect(second.events.filter(({ event }) => event === "log").map(brief)).toEqual([
      "log after the call",
      expect.stringMatching(/^log Completed in /),
    ]);
    expect(second.events.map(brief)).toEqual(expect.arrayContaining(["call completed", "after completed"]));
    expect(second.events.at(-1)?.data.status).toBe("completed");
  });

  it("gets 204 if it has the end already, which stops browsers from reconnecting", async () => {
    const flow = await createFlow({ nodes: [transform("t", "1")] });
    const id = await start(flow.id);
    await ended(id);
    const reader = await open(id);
    await reader.ended;
    const last = reader.events.at(-1);
    expect((await open(id, "", last?.id)).response.status).toBe(204);
    expect((await open(id, `?lastEventId=${last?.id}`)).response.status).toBe(204);
  });

  it("gets everything if its last id is invalid", async () => {
    const flow = await createFlow({ nodes: [node("l", "log", { message: "once" })] });
    const id = await start(flow.id);
    await ended(id);
    for (const wrong of ["", "x", "-1", "1e9", "9".repeat(40)]) {
      const reader = await EventReader.open(`/executions/${id}/stream`, { headers: { "last-event-id": wrong } });
      await reader.ended;
      expect([wrong, reader.events.map(brief)]).toEqual([
        wrong,
        ["log Started by the API", "log once", expect.stringMatching(/^log Completed in /), "completed"],
      ]);
    }
  });
});

describe("refused streams", () => {
  it("of a missing execution: 404 in the envelope, with or without a last event", async () => {
    for (const headers of [{}, { "last-event-id": "7" }]) {
      const answer = await get("/executions/exec_01h455vb4pex5vsknk084sn02q/stream", { headers });
      expect([answer.status, answer.error.code]).toEqual([404, "NOT_FOUND"]);
    }
  });

  it("without credentials: 401", async () => {
    const answer = await get("/executions/exec_01h455vb4pex5vsknk084sn02q/stream", { key: null });
    expect([answer.status, answer.error.code]).toEqual([401, "UNAUTHORIZED"]);
  });

  it("by another method than GET and HEAD: 405; HEAD has the headers and no body", async () => {
    const { id } = await heldRun();
    const answer = await call("POST", `/executions/${id}/stream`);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    const head = await call("HEAD", `/executions/${id}/stream`);
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    await post(`/executions/${id}/cancel`, {});
  });

  it("beyond a hundred per workspace: 429; a closed stream makes room", async () => {
    const { id } = await heldRun();
    const readers: EventReader[] = [];
    for (let index = 0; index < 100; index += 1) readers.push(await open(id));
    const refused = await get(`/executions/${id}/stream`);
    expect([refused.status, refused.error.code, refused.error.details]).toEqual([
      429,
      "RATE_LIMIT_EXCEEDED",
      { retryAfter: 10 },
    ]);
    for (const reader of readers) reader.leave();
    const again = async () => {
      const reader = await open(id);
      const { status } = reader.response;
      if (status !== 200) await reader.ended;
      return status;
    };
    await expect.poll(again).toBe(200);
    await post(`/executions/${id}/cancel`, {});
  });
});
