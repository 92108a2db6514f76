import { describe, expect, it } from "vitest";
import { apiKey, baseUrl } from "#e2e/support/address.ts";
import { get, patch, post, send } from "#e2e/support/api-client.ts";
import { createFlow, node, readExecution, transform } from "#e2e/support/flows.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

const json = { "content-type": "application/json" };

/** Calls a trigger URL, without a key. */
const callTo = (url: string, body?: BodyInit, headers: Record<string, string> = {}, method = "POST") =>
  send(method, "", body, { base: url, key: null, headers });

async function triggerOf(program: unknown, config: Record<string, unknown> = {}, fields = {}) {
  const nodes = program === undefined ? [] : [transform("t", program)];
  const flow = await createFlow({ nodes, trigger: { type: "webhook", config }, ...fields });
  return { flow, url: flow.trigger.config.url };
}
const respondTo = async (config: Record<string, unknown>) =>
  (await createFlow({ nodes: [node("r", "respond", config)] })).trigger.config.url;

describe("the answer of a trigger URL", () => {
  // Proves trigger-urls.answer, trigger-urls.execution-id, trigger-urls.no-authorization
  it("is the run's output as bare JSON, with the execution's id", async () => {
    const { url } = await triggerOf("({ sum: $trigger.body.a + $trigger.body.b })");
    const answer = await callTo(url, '{"a":1,"b":2}', json);
    expect([answer.status, answer.text]).toEqual([200, '{"sum":3}']);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    const id = answer.headers.get("x-execution-id") ?? "";
    expect(await readExecution(id)).toMatchObject({ status: "completed", output: { sum: 3 } });
  });

  it.each([
    ["'text'", '"text"'],
    ["null", "null"],
    ["5", "5"],
    ["[]", "[]"],
  ])("%s is %s", async (program, text) => {
    const { url } = await triggerOf(program);
    expect((await callTo(url)).text).toBe(text);
  });

  it("of a flow without nodes is null", async () => {
    const { url } = await triggerOf(undefined);
    expect((await callTo(url)).text).toBe("null");
  });

  // Proves trigger-urls.inert
  it("can never be a page of this origin", async () => {
    const page = {
      headers: { "content-type": "text/html", "content-security-policy": "none" },
      body: "<script>1</script>",
    };
    for (const url of [(await triggerOf("1")).url, await respondTo(page)]) {
      const { headers } = await callTo(url);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toMatch(/sandbox/);
    }
  });

  // Proves errors.execution-failed, trigger-urls.execution-id, trigger-urls.failed
  it("of a failed run is 500 EXECUTION_FAILED with the execution's id", async () => {
    const { url } = await triggerOf("$trigger.body.a.b");
    const answer = await callTo(url, "{}", json);
    expectRefusal(answer, 500, "EXECUTION_FAILED");
    const executionId = answer.headers.get("x-execution-id") ?? "";
    expect(answer.error.details).toEqual({ executionId });
    expect((await readExecution(executionId)).status).toBe("failed");
  });

  // Proves trigger-urls.respond-async
  it.each([
    ["prefer", { prefer: "respond-async" }],
    ["Prefer among others", { prefer: "wait=5, respond-async" }],
  ])("is 202 at once with %s", async (_, headers) => {
    const { url } = await triggerOf("1");
    const answer = await callTo(url, "{}", { ...json, ...headers });
    expect(answer.status).toBe(202);
    const executionId = answer.headers.get("x-execution-id");
    expect(answer.body).toEqual({ executionId, status: "running" });
  });

  it("waits with a preference whose name only contains respond-async", async () => {
    const { url } = await triggerOf("1");
    const answer = await callTo(url, "{}", { ...json, prefer: "x-respond-async, respond-async-later" });
    expect([answer.status, answer.text]).toEqual([200, "1"]);
  });

  // Proves trigger-urls.immediately
  it("is 202 at once when the trigger says so", async () => {
    const { url } = await triggerOf("1", { respond: "immediately" });
    expect(await callTo(url)).toMatchObject({ status: 202, body: { status: "running" } });
  });
});

describe("a respond node", () => {
  // Proves trigger-urls.respond
  it("sets status, headers and body", async () => {
    const url = await respondTo({
      status: 418,
      headers: { "x-tea": "{{ $trigger.body.tea }}" },
      body: { short: true },
    });
    const answer = await callTo(url, '{"tea":"mint"}', json);
    expect([answer.status, answer.text, answer.headers.get("x-tea")]).toEqual([418, '{"short":true}', "mint"]);
  });

  it("sends text as it is under a type other than JSON", async () => {
    const url = await respondTo({ headers: { "content-type": "text/csv" }, body: "\ufeffa;b\r\n1;2" });
    const response = await fetch(url, { method: "POST" });
    expect(response.headers.get("content-type")).toBe("text/csv");
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe("\ufeffa;b\r\n1;2");
  });

  it("has no body with 204", async () => {
    expect(await callTo(await respondTo({ status: 204, body: "x" }))).toMatchObject({ status: 204, text: "" });
  });

  it("redirects", async () => {
    const answer = await callTo(await respondTo({ status: 303, headers: { location: "https://example.com/" } }));
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "https://example.com/"]);
  });

  it("sets no cookies, no CORS and no ids", async () => {
    const headers = {
      "set-cookie": "a=b",
      "access-control-allow-origin": "https://x",
      "x-execution-id": "forged",
      "x-ok": "1",
    };
    const answer = await callTo(await respondTo({ headers }));
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("x-execution-id")).toMatch(/^exec_/);
    expect(answer.headers.get("x-ok")).toBe("1");
  });

  it("drops a header that HTTP cannot carry, and answers anyway", async () => {
    const answer = await callTo(await respondTo({ headers: { "x-a": "line\r\nbreak", "bad name": "x", "x-ok": "1" } }));
    expect([answer.status, answer.headers.get("x-ok"), answer.headers.get("x-a")]).toEqual([200, "1", null]);
  });
});

describe("the body is parsed by its content type", () => {
  // Proves trigger-urls.bodies
  it.each([
    ["application/json", '{"a":[1]}', { a: [1] }],
    ["application/json; charset=utf-8", "5", 5],
    ["application/cloudevents+json", "[null]", [null]],
    ["application/x-www-form-urlencoded", "a=1&b=x+y&b=%C3%A9", { a: "1", b: ["x y", "é"] }],
    ["text/plain", "plain é", "plain é"],
    ["text/csv; charset=utf-8", "a,b", "a,b"],
    ["text/plain; charset=iso-8859-1", Buffer.from([0xe9]), "é"],
    ["application/octet-stream", Buffer.from([0, 255, 1]), "AP8B"],
    ["application/xml", "<a/>", "PGEvPg=="],
    ["application/json", "", {}],
  ])("%s: %s", async (type, body, seen) => {
    const { url } = await triggerOf("({ body: $trigger.body })");
    expect((await callTo(url, body, { "content-type": type })).body).toEqual({ body: seen });
  });

  it("as JSON by default", async () => {
    const { url } = await triggerOf("$trigger.body");
    expect((await callTo(url, Buffer.from('{"a":1}'))).body).toEqual({ a: 1 });
  });

  it("400 for invalid or too deeply nested JSON, and nothing runs", async () => {
    const { url, flow } = await triggerOf("1");
    for (const body of ["{", "\ufeff{}", `${"[".repeat(65)}${"]".repeat(65)}`]) {
      expectInvalid(await callTo(url, body, json), "body");
    }
    expect((await get<unknown[]>(`/executions?flowId=${flow.id}`)).data).toEqual([]);
    expect((await callTo(url, `${"[".repeat(64)}${"]".repeat(64)}`, json)).status).toBe(200);
  });

  // Proves trigger-urls.body-limit
  it("413 for more than 1 MiB", async () => {
    const { url } = await triggerOf("$trigger.body.length");
    const text = { "content-type": "text/plain" };
    expect((await callTo(url, "x".repeat(1_048_576), text)).body).toBe(1_048_576);
    expectRefusal(await callTo(url, "x".repeat(1_048_577), text), 413, "PAYLOAD_TOO_LARGE");
  });
});

describe("callers", () => {
  // Proves addresses.v1-in-path
  it("may use the URL below /v1 as well", async () => {
    const { url } = await triggerOf("1");
    expect((await callTo(url.replace("/api/v1/", "/v1/"))).text).toBe("1");
  });

  // Proves trigger-urls.method, trigger-urls.wrong-method, trigger.method, webhooks.shared-path
  it.each(["GET", "POST", "PUT", "PATCH", "DELETE"])(
    "may use %s, if that is the configured method, and no other",
    async (method) => {
      const { url, flow } = await triggerOf("$trigger.method", { method });
      expect((await callTo(url, undefined, {}, method)).body).toBe(method);
      for (const other of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((name) => name !== method)) {
        const answer = await callTo(url, undefined, {}, other);
        expectRefusal(answer, 405, "METHOD_NOT_ALLOWED");
        expect(answer.headers.get("allow")).toContain(method);
      }
      expect((await get(`/executions?flowId=${flow.id}`)).pagination.total).toBe(1);
    },
  );

  // Proves trigger-urls.head
  it("start nothing with HEAD and OPTIONS", async () => {
    const { url, flow } = await triggerOf("1", { method: "GET" });
    const head = await callTo(url, undefined, {}, "HEAD");
    // The length of an answer that only a run would give is not known.
    expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", null]);
    expect(await callTo(url, undefined, {}, "OPTIONS")).toMatchObject({ status: 204, text: "" });
    expect((await get<unknown[]>(`/executions?flowId=${flow.id}`)).data).toEqual([]);
  });

  // Proves trigger-urls.cors
  it("may be pages of any origin", async () => {
    const { url } = await triggerOf("1");
    const trigger = {
      origin: "https://shop.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    };
    const preflight = await callTo(url, undefined, trigger, "OPTIONS");
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("content-type");
    expect((await callTo(url)).headers.get("access-control-allow-origin")).toBe("*");
  });

  // Proves trigger-urls.draft-active
  it.each([
    ["draft", 200],
    ["active", 200],
  ])("a flow that is %s runs", async (status, expected) => {
    const { url } = await triggerOf("1", {}, { status });
    expect((await callTo(url)).status).toBe(expected);
  });

  // Proves trigger-urls.inactive
  it("get 400 INVALID_STATUS for a flow as soon as it is inactive", async () => {
    const { url, flow } = await triggerOf("1");
    expect((await callTo(url)).status).toBe(200);
    await patch(`/flows/${flow.id}`, { status: "inactive" });
    const answer = await callTo(url);
    expectRefusal(answer, 400, "INVALID_STATUS");
    expect(answer.error.details).toEqual({ currentStatus: "inactive" });
  });

  // Proves trigger-urls.unknown, trigger.manual
  it("get 404 for an unknown id, and for a flow with another trigger", async () => {
    const webhooks = `${baseUrl()}/api/v1/webhooks`;
    for (const id of ["x", "hook_01hzzzzzzzzzzzzzzzzzzzzzzz", "hook_", "hook_x", "%00"]) {
      expectRefusal(await callTo(`${webhooks}/${id}`), 404, "NOT_FOUND");
    }
    const { url, flow } = await triggerOf("1");
    await patch(`/flows/${flow.id}`, { trigger: { type: "manual" } });
    expectRefusal(await callTo(url), 404, "NOT_FOUND");
  });

  it("pass their own Authorization to the flow, but not a key of this service", async () => {
    const { url } = await triggerOf("$trigger.headers.authorization ?? 'none'");
    expect((await callTo(url, undefined, { authorization: "Bearer theirs" })).body).toBe("Bearer theirs");
    expect((await callTo(url, undefined, { cookie: "next-auth.session-token=x" })).body).toBe("none");
    const made = await post<{ key: string }>("/api-keys", { name: "Strays", scopes: ["flows:read"] });
    for (const key of [apiKey(), made.data.key]) {
      expect((await callTo(url, undefined, { authorization: `Bearer ${key}` })).body).toBe("none");
    }
  });
});

describe("flows that call each other", () => {
  // Proves trigger-urls.depth
  it("stop at a depth of 5", async () => {
    const { flow, url } = await triggerOf(undefined);
    const call = node("again", "http-request", { url, method: "POST", failOnStatus: false });
    await patch(`/flows/${flow.id}`, { nodes: [call] });
    await callTo(url, "{}", json);
    const { pagination } = await get(`/executions?flowId=${flow.id}`);
    expect(pagination.total).toBe(6);
  });
});
