// The nodes that wait: for a time, for a call to their URL, for people's answers.
import { describe, expect, it } from "vitest";
import { get, post, send } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import {
  createFlow,
  edge,
  ended,
  execute,
  node,
  readExecution,
  start,
  statuses,
  transform,
} from "#e2e/support/flows.ts";
import { openWait } from "#e2e/support/open-wait.ts";
import { detailsOf, expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

type Json = Record<string, unknown>;

const hourMs = 3_600_000;
const htmlForm = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
const resume = (id: string, nodeId: string, body: unknown = {}) =>
  post<{ resumedAt: string }>(`/executions/${id}/nodes/${nodeId}/resume`, body);
/** Calls a URL without a key. */
const json = { "content-type": "application/json" };
const callUrl = (url: string, body: BodyInit = "{}", headers: Record<string, string> = json) =>
  send<{ resumedAt: string }>("POST", "", body, { base: url, key: null, headers });
const getPage = (url: string) => send("GET", "", undefined, { base: url, key: null, headers: { accept: "text/html" } });

/** A flow that sends its resume URL and waits; `config` is the config of the wait. */
async function waitingRun(config: Json = {}, edges: ReturnType<typeof edge>[] = []) {
  const nodes = [
    transform("url", "$resume['wait']"),
    node("wait", "wait", config),
    transform("after", "$nodes.wait.output"),
  ];
  const all = [edge("url", "wait"), edge("wait", "after"), ...edges];
  const late = edges.length === 0 ? [] : [transform("late", "'late'")];
  const flow = await createFlow({ nodes: [...nodes, ...late], edges: all });
  const id = await start(flow.id);
  const url = await openWait("wait", () => readExecution(id, "?includeNodeOutputs=true"));
  return { id, url, flowId: flow.id };
}

describe("delay", () => {
  // Proves nodes.delay
  it("returns its input, a while later", async () => {
    const { id } = await createFlow({
      nodes: [transform("a", "({x: 1})"), node("pause", "delay", { ms: 150 })],
      edges: [edge("a", "pause")],
    });
    const run = await execute(id);
    expect(run).toMatchObject({ status: "completed", output: { x: 1 } });
    expect(run.duration).toBeGreaterThanOrEqual(150);
  });

  // Proves nodes.delay
  it("until a time in the past does not wait", async () => {
    const { id } = await createFlow({ nodes: [node("pause", "delay", { until: "{{ $trigger.body.at }}" })] });
    const run = await execute(id, { at: "2020-01-01T00:00:00Z" });
    expect(run).toMatchObject({ status: "completed", output: { at: "2020-01-01T00:00:00Z" } });
  });

  // Proves execution-status.cancelled-waiting
  it("that is long answers a synchronous caller at once with 202; the run can be cancelled", async () => {
    const { id } = await createFlow({
      nodes: [node("pause", "delay", { ms: hourMs }), transform("b", "1")],
      edges: [edge("pause", "b")],
    });
    const answer = await post<{ executionId: string; status: string }>(`/flows/${id}/execute`, { async: false });
    expect([answer.status, answer.data.status]).toEqual([202, "running"]);
    const { executionId } = answer.data;
    await post(`/executions/${executionId}/cancel`, { reason: "enough" });
    const run = await readExecution(executionId);
    expect([run.status, run.reason, statuses(run)]).toEqual([
      "cancelled",
      "enough",
      { pause: "cancelled", b: "skipped" },
    ]);
  });

  it.each([[{ ms: -1 }], [{ ms: "soon" }], [{ until: "soon" }]])("with %j prevents activation", async (config) => {
    const nodes = [node("pause", "delay", config)];
    const answer = await post("/flows", { name: "x", trigger: { type: "webhook" }, nodes, status: "active" });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.error.details ?? {})).toEqual([`nodes[0].config.${Object.keys(config)[0]}`]);
  });
});

describe("a wait for a call", () => {
  // Proves nodes.wait
  it("resumes with the call's body, and the run completes", async () => {
    const { id, url } = await waitingRun();
    const answer = await callUrl(url, JSON.stringify({ paid: true }), json);
    expect(answer.status).toBe(200);
    expect(answer.data).toEqual({ executionId: id, nodeId: "wait", resumedAt: expect.any(String) });
    const { resumedAt } = answer.data;
    const run = await ended(id);
    expect(run).toMatchObject({ status: "completed", output: { body: { paid: true }, resumedAt, resumedBy: "link" } });
    expect(run.nodes[1]).toMatchObject({ status: "completed", handle: "resumed" });
  });

  // Proves nodes.wait
  it("is resumed once: of two concurrent calls one wins, and the other is refused", async () => {
    const { id, url } = await waitingRun();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, number) => callUrl(url, JSON.stringify({ number }))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect((await ended(id)).output).toMatchObject({ body: { number: winner } });
    const again = await callUrl(url);
    expectRefusal(again, 409, "CONFLICT");
    expect(again.error.details).toEqual({ resumedAt: answers[winner]?.data.resumedAt });
  });

  it("called before the run waited keeps the call: a fast service's callback is not lost", async () => {
    const sink = await countingServer(() => "hold");
    const nodes = [
      node("order", "http-request", { method: "POST", url: sink.url, body: "{{ $resume.wait }}" }),
      node("wait", "wait"),
    ];
    const { id: flowId } = await createFlow({ nodes, edges: [edge("order", "wait")] });
    const id = await start(flowId);
    await sink.until(1);
    const url = sink.received[0]?.body ?? "";
    expect((await getPage(url)).text).toContain("<button");
    expect((await callUrl(url, '{"early":true}')).status).toBe(200);
    expect((await callUrl(url)).status).toBe(409);
    sink.release();
    expect((await ended(id)).output).toMatchObject({ body: { early: true } });
  });

  it("is not resumed by GET, HEAD and OPTIONS; a page asks, under a strict policy", async () => {
    const { id, url } = await waitingRun();
    for (const method of ["HEAD", "OPTIONS"]) await send(method, "", undefined, { base: url, key: null });
    const unknown = await send("HEAD", "/x", undefined, { base: url.slice(0, url.lastIndexOf("/")), key: null });
    expect([unknown.status, unknown.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expectRefusal(await send("PUT", "", "{}", { base: url, key: null }), 405, "METHOD_NOT_ALLOWED");
    const page = await getPage(url);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    expect(page.text).toMatch(/<form method="post">.*<button type="submit">Continue<\/button>/);
    expect(page.text).not.toMatch(/<script|javascript:| on\w+=/);
    expect((await readExecution(id)).status).toBe("running");
    const done = await callUrl(url, "", htmlForm);
    expect([done.status, done.text.includes("Thank you")]).toEqual([200, true]);
    await ended(id);
    expect((await getPage(url)).text).toContain("Already answered");
    expect((await callUrl(url, "", htmlForm)).status).toBe(409);
  });

  it("accepts form, text and other bodies as trigger URLs do, and refuses unreadable ones", async () => {
    const { id, url } = await waitingRun();
    expectInvalid(await callUrl(url, "{", { "content-type": "application/json" }), "body", /valid JSON/);
    expectRefusal(await callUrl(url, "x".repeat(1_100_000)), 413, "PAYLOAD_TOO_LARGE");
    expect((await callUrl(url, "a=1&a=2", { "content-type": "application/x-www-form-urlencoded" })).status).toBe(200);
    expect((await ended(id)).output).toMatchObject({ body: { a: ["1", "2"] } });
  });

  it("has a URL that cannot be guessed or bent to another run or node", async () => {
    const { id, url } = await waitingRun();
    const other = await waitingRun();
    const [execution, step, mac] = url.slice(url.lastIndexOf("/") + 1).split(".");
    const base = url.slice(0, url.lastIndexOf("/"));
    const elsewhere = Buffer.from("after").toString("base64url");
    for (const token of [
      `${other.id}.${step}.${mac}`,
      `${execution}.${elsewhere}.${mac}`,
      `${execution}.${step}.${"a".repeat(43)}`,
      "x",
      "%00",
    ]) {
      expectRefusal(await callUrl(`${base}/${token}`), 404, "NOT_FOUND");
      expect((await getPage(`${base}/${token}`)).status).toBe(404);
    }
    expect((await readExecution(id)).status).toBe("running");
    await Promise.all([id, other.id].map((open) => post(`/executions/${open}/cancel`)));
    expectRefusal(await callUrl(url), 400, "INVALID_STATUS");
    expect((await getPage(url)).text).toContain("has ended");
  });
});

describe("a wait with a time limit", () => {
  // Proves nodes.wait-timeout
  it("leaves by `timeout` if nobody called, and not by its plain edge", async () => {
    const { id, url } = await waitingRun({ timeoutMs: 50 }, [edge("wait", "late", "timeout")]);
    const run = await ended(id, "?includeNodeOutputs=true");
    expect(statuses(run)).toMatchObject({ wait: "completed", after: "skipped", late: "completed" });
    expect(run.nodes[1]).toMatchObject({ handle: "timeout", output: { body: null, timedOutAt: expect.any(String) } });
    expect((await callUrl(url)).status).toBe(400);
  });

  // Proves nodes.wait-timeout
  it("fails if that has no edge", async () => {
    const { id } = await waitingRun({ timeoutMs: 50 });
    expect(await ended(id)).toMatchObject({ status: "failed", error: { nodeId: "wait", code: "WAIT_TIMEOUT" } });
  });

  it("that continues after a failure goes on by its plain edge, with the error as its output", async () => {
    const { id } = await waitingRun({ timeoutMs: 50, onError: "continue" });
    const run = await ended(id, "?includeNodeOutputs=true");
    expect(statuses(run)).toMatchObject({ wait: "completed", after: "completed" });
    expect(run.nodes[1]).toMatchObject({ output: { error: { code: "WAIT_TIMEOUT" } } });
  });
});

describe("a wait with a form", () => {
  const form = {
    title: "Pay {{ $trigger.body.total }}?",
    fields: [
      { name: "note", type: "textarea", required: true },
      { name: "amount", type: "number" },
    ],
    actions: [{ id: "approve", label: "Pay <now>" }, { id: "reject" }],
  };

  // Proves nodes.wait-form
  it("is answered on its page, without JavaScript, which shows invalid answers", async () => {
    const { id, url } = await waitingRun({ form });
    const page = await getPage(url);
    expect(page.text).toMatch(/<textarea name="note" id="note" required>/);
    expect(page.text).toMatch(/<button type="submit" name="action" value="approve">Pay &#60;now&#62;<\/button>/);
    const wrong = await callUrl(url, "note=%3Cb%3E&amount=much&action=approve", htmlForm);
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("must be a number");
    expect(wrong.text).toContain("&#60;b&#62;</textarea>");
    const done = await callUrl(url, "note=fine&amount=5&action=reject", htmlForm);
    expect([done.status, done.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect((await ended(id)).output).toMatchObject({ body: { note: "fine", amount: 5, action: "reject" } });
  });

  it("is answered by members through the run, with the same checks", async () => {
    const { id } = await waitingRun({ form });
    const details = detailsOf(await resume(id, "wait", { amount: 5 }));
    expect(details).toEqual({ note: "is required", action: "must be one of approve, reject" });
    const answer = await resume(id, "wait", { note: "ok", action: "approve" });
    expect([answer.status, answer.data.resumedAt]).toEqual([200, expect.any(String)]);
    expect((await ended(id)).output).toMatchObject({ body: { action: "approve" }, resumedBy: "member" });
    expectRefusal(await resume(id, "wait", { note: "ok", action: "approve" }), 409, "CONFLICT");
  });
});

describe("what waits for people", () => {
  type Wait = { nodeId: string; state: string; url: string | null; answeredBy: string | null; answeredByName: string };
  const form = { title: "Pay?", fields: [{ name: "note" }], actions: [{ id: "yes" }] };
  const waitsOf = async (id: string) => (await get<Wait[]>(`/executions/${id}/waits`)).data;
  const approvals = async () => (await get<{ executionId: string }[]>("/approvals")).data;

  it("is listed with its form and link until it is answered, and then with who answered", async () => {
    const { id, url } = await waitingRun({ form });
    expect(await waitsOf(id)).toMatchObject([
      { nodeId: "wait", iteration: null, state: "open", hasForm: true, form: { title: "Pay?" }, url, answeredAt: null },
    ]);
    expect(await approvals()).toContainEqual(
      expect.objectContaining({ executionId: id, nodeId: "wait", title: "Pay?" }),
    );
    const read = await readExecution(id);
    expect([read.status, read.waitingFor, read.nodes[1]?.waitingFor]).toEqual(["running", "approval", "approval"]);
    const { resumedAt } = (await resume(id, "wait", { action: "yes" })).data;
    const after = await ended(id);
    expect([after.waitingFor, after.nodes[1]?.waitingFor]).toEqual([undefined, undefined]);
    const [answered] = await waitsOf(id);
    expect(answered).toMatchObject({ state: "answered", form: null, url: null, answeredAt: resumedAt });
    expect([answered?.answeredBy, typeof answered?.answeredByName]).toEqual([expect.stringMatching(/^key_/), "string"]);
    expect((await approvals()).filter(({ executionId }) => executionId === id)).toEqual([]);
  });

  it("has no name when it is answered through its link; a call without a form is no approval", async () => {
    const { id, url } = await waitingRun();
    expect((await readExecution(id)).waitingFor).toBe("call");
    expect((await approvals()).filter(({ executionId }) => executionId === id)).toEqual([]);
    await callUrl(url);
    await ended(id);
    expect(await waitsOf(id)).toMatchObject([{ state: "answered", answeredBy: null, answeredByName: null }]);
  });

  it("is over when its run is cancelled, and is not listed for other workspaces or unknown runs", async () => {
    const { id } = await waitingRun({ form });
    await post(`/executions/${id}/cancel`, {});
    expect(await waitsOf(id)).toMatchObject([{ state: "over", url: null, form: null, answeredAt: null }]);
    expect((await approvals()).filter(({ executionId }) => executionId === id)).toEqual([]);
    expectRefusal(await get("/executions/exec_01kad6w1m4e8tvm8d9fqzc4x2r/waits"), 404, "NOT_FOUND");
  });

  it("is listed for each iteration of a loop", async () => {
    const body = { nodes: [node("ask", "wait", { form })], edges: [] };
    const { id: flowId } = await createFlow({
      nodes: [node("each", "loop", { items: "[1, 2]", concurrency: 2, body })],
    });
    const id = await start(flowId);
    const open = async () => (await waitsOf(id)).filter(({ state }) => state === "open");
    await expect
      .poll(async () => (await open()).map((wait) => "iteration" in wait && wait.iteration).sort())
      .toEqual(["0", "1"]);
    expect((await readExecution(id)).waitingFor).toBe("approval");
    await post(`/executions/${id}/nodes/ask/resume?iteration=1`, { action: "yes" });
    expect((await open()).length).toBe(1);
    await post(`/executions/${id}/nodes/ask/resume?iteration=0`, { action: "yes" });
    expect((await ended(id)).status).toBe("completed");
  });
});

describe("resuming a node over the API", () => {
  it("is refused for a node that is not waiting", async () => {
    const { id } = await waitingRun();
    for (const path of [`${id}/nodes/after`, `${id}/nodes/nothing`, `${id}/nodes/wait`.replace(id, "exec_x")]) {
      expectRefusal(await post(`/executions/${path}/resume`, {}), 404, "NOT_FOUND");
    }
    expectRefusal(await post(`/executions/${id}/nodes/wait/resume?iteration=0`, {}), 409, "CONFLICT");
    expect((await post(`/executions/${id}/nodes/wait/resume?iteration=x`, {})).status).toBe(400);
    expect((await get<{ status: string }>(`/executions/${id}`)).data.status).toBe("running");
    await post(`/executions/${id}/cancel`);
    expectRefusal(await resume(id, "wait"), 400, "INVALID_STATUS");
  });
});
