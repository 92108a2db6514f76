import { describe, expect, test } from "vitest";
import { allServices } from "#lib/services/model/all.ts";
import { fakeRun } from "../http-request/fake-context.ts";
import { findConfigProblems } from "../registry.ts";
import { call } from "./call.ts";
import { json, runCall, token } from "./testing/run-call.ts";

const message = { service: "slack", operation: "send-message", credential: "bot" };
const body = { channel: "C1", text: "hi" };

describe("a call", () => {
  test("sends the operation's request with the credential, and returns its answer", async () => {
    const { output, sent } = await runCall({ ...message, body }, [json({ ok: true, ts: "1.2" })]);
    expect(output).toEqual({ ok: true, ts: "1.2" });
    expect(sent).toMatchObject([
      {
        method: "POST",
        url: "https://slack.com/api/chat.postMessage",
        headers: { authorization: "Bearer 123:secret-token", "content-type": "application/json" },
        body: JSON.stringify(body),
      },
    ]);
    expect(sent[0]?.headers["idempotency-key"]).toBe("exec_1.call");
  });

  test("omits parameters whose expression gave null", async () => {
    const { sent } = await runCall({ ...message, body: { ...body, thread_ts: null } });
    expect(sent[0]?.body).toBe(JSON.stringify(body));
  });

  test("fails if the answer reports an error with a success status", async () => {
    await expect(
      runCall({ ...message, body }, [json({ ok: false, error: "channel_not_found" })]),
    ).rejects.toMatchObject({
      code: "SERVICE_REFUSED",
      message: 'Slack refused "Send a message": channel_not_found',
    });
  });

  test("fails on GraphQL errors with a success status", async () => {
    const config = { service: "shopify", operation: "query", baseUrl: "https://a.myshopify.com", credential: "bot" };
    const answers = [json({ errors: [{ message: "Throttled" }] })];
    await expect(runCall({ ...config, body: { query: "{ shop { name } }" } }, answers)).rejects.toMatchObject({
      code: "SERVICE_REFUSED",
      message: expect.stringMatching(/Throttled$/),
    });
  });

  test("says so too if a page of a list reports an error", async () => {
    const config = { service: "slack", operation: "list-channels", credential: "bot", allPages: true };
    await expect(runCall(config, [json({ ok: false, error: "invalid_auth" })])).rejects.toMatchObject({
      code: "SERVICE_REFUSED",
      message: 'Slack refused "List channels": invalid_auth',
    });
  });

  test("refuses a form whose names would take gigabytes", async () => {
    let value: unknown = Array.from({ length: 50_000 }, () => 1);
    for (let level = 0; level < 400; level += 1) value = { a: value };
    const config = { service: "stripe", operation: "create-customer", credential: "bot", body: { metadata: value } };
    await expect(runCall(config)).rejects.toMatchObject({ code: "INVALID_CONFIG", field: "body" });
  });

  test("fails on an error status as a request does", async () => {
    await expect(runCall({ ...message, body }, [json({ error: "no" }, 500)])).rejects.toMatchObject({
      code: "HTTP_STATUS",
    });
  });

  test.each([
    [{ ...message, body: { text: "hi" } }, "body.channel"],
    [{ ...message, body: { channel: true } }, "body.channel"],
    [
      { service: "gmail", operation: "send-mail", body: { to: "a@b.c", subject: "é".repeat(999), text: "x" } },
      "body.subject",
    ],
    [
      {
        service: "jira",
        operation: "comment-issue",
        baseUrl: "https://a.test",
        parameters: { issueIdOrKey: "A-1" },
        body: { comment: "\n".repeat(32_768) },
      },
      "body.comment",
    ],
    [{ service: "github", operation: "list-issues", parameters: { owner: "a", repo: ".." } }, "parameters.repo"],
    [{ service: "github", operation: "list-issues", parameters: { owner: "a", repo: "%2e%2E" } }, "parameters.repo"],
    [
      { service: "github", operation: "read-file", parameters: { owner: "a", repo: "b", path: "x/../../y" } },
      "parameters.path",
    ],
    [{ service: "telegram", operation: "read-chat", parameters: { chat_id: "1" } }, undefined],
    [{ ...message, body, baseUrl: "file:///etc" }, "baseUrl"],
    [{ ...message, body, baseUrl: "https://x.test/?a=" }, "baseUrl"],
    [{ ...message, body, allPages: true }, "allPages"],
  ])("%j is refused before anything is sent", async (config, field) => {
    const fake = fakeRun([json({})], token);
    const failed = call.run(call.config.parse(config), fake.context);
    await expect(failed).rejects.toMatchObject({ name: "NodeFailure", ...(field && { field }) });
    expect(fake.sent).toEqual([]);
  });

  test("writes each parameter as one path segment", async () => {
    const parameters = { owner: "a/b?c#d", repo: "ü", path: "docs/a b.md", ref: "x&y" };
    const { sent } = await runCall({ service: "github", operation: "read-file", parameters });
    expect(sent[0]?.url).toBe("https://api.github.com/repos/a%2Fb%3Fc%23d/%C3%BC/contents/docs/a%20b.md?ref=x%26y");
  });

  test("sends a token in the path only to hosts that its credential allows", async () => {
    const config = { service: "telegram", operation: "read-chat", credential: "bot", parameters: { chat_id: "1" } };
    const { sent } = await runCall(config);
    expect(sent[0]?.url).toBe("https://api.telegram.org/bot123:secret-token/getChat?chat_id=1");
    const bound = async (name: string) => ({ name, ...token, allowedHosts: ["example.com"] });
    await expect(runCall(config, [], { credential: bound })).rejects.toMatchObject({ code: "CREDENTIAL_HOST" });
  });

  test("fetches all pages of a list", async () => {
    const pages = [
      json({ ok: true, channels: [{ id: "C1" }], response_metadata: { next_cursor: "n" } }),
      json({ ok: true, channels: [{ id: "C2" }], response_metadata: { next_cursor: "" } }),
    ];
    const evaluateOver = async (source: string, { $response }: Readonly<Record<string, unknown>>) => {
      const { body } = $response as { body: Record<string, never> };
      return source.endsWith("channels")
        ? body.channels
        : (body.response_metadata as unknown as { next_cursor: string }).next_cursor;
    };
    const config = { service: "slack", operation: "list-channels", credential: "bot", allPages: true };
    const { output, sent } = await runCall(config, pages, { evaluateOver });
    expect(output).toEqual({ items: [{ id: "C1" }, { id: "C2" }], pages: 2, isComplete: true });
    expect(sent.map(({ url }) => url)).toEqual([
      "https://slack.com/api/conversations.list",
      "https://slack.com/api/conversations.list?cursor=n",
    ]);
  });

  test.each([
    [{}, ["startAt=0&maxResults=50", "startAt=50&maxResults=50"]],
    [{ maxResults: 10 }, ["startAt=0&maxResults=10", "startAt=10&maxResults=10"]],
  ])("goes on after as many items as were asked for: %j", async (parameters, queries) => {
    const pages = [json({ values: [{ id: "1" }] }), json({ values: [] })];
    const evaluateOver = async (_: string, { $response }: Readonly<Record<string, unknown>>) =>
      ($response as { body: { values: unknown } }).body.values;
    const config = { service: "jira", operation: "list-projects", baseUrl: "https://a.test", allPages: true };
    const { sent } = await runCall({ ...config, parameters }, pages, { evaluateOver });
    const sentQueries = sent.map(({ url }) => new URL(url).searchParams);
    const expected = queries.map((query) => new URLSearchParams(query));
    expect(sentQueries.map((query) => [query.get("startAt"), query.get("maxResults")])).toEqual(
      expected.map((query) => [query.get("startAt"), query.get("maxResults")]),
    );
  });

  test("fetches all pages of a search with its cursor in the body", async () => {
    const pages = [
      json({ results: [{ id: "1" }], next_cursor: "n" }),
      json({ results: [{ id: "2" }], next_cursor: null }),
    ];
    const evaluateOver = async (source: string, { $response }: Readonly<Record<string, unknown>>) =>
      ($response as { body: Record<string, unknown> }).body[source.endsWith("results") ? "results" : "next_cursor"];
    const config = { service: "notion", operation: "search", credential: "bot", allPages: true, body: { query: "é" } };
    const { output, sent } = await runCall(config, pages, { evaluateOver });
    expect(output).toEqual({ items: [{ id: "1" }, { id: "2" }], pages: 2, isComplete: true });
    expect(sent.map(({ body }) => JSON.parse(String(body)))).toEqual([
      { query: "é" },
      { query: "é", start_cursor: "n" },
    ]);
  });

  test("accepts an integer for a text parameter, because many ids are numbers", async () => {
    const config = { service: "telegram", operation: "send-message", credential: "bot" };
    const { sent } = await runCall({ ...config, body: { chat_id: -100123, text: "hi" } });
    expect(sent[0]?.body).toBe('{"chat_id":"-100123","text":"hi"}');
    await expect(runCall({ ...config, body: { chat_id: 1.5, text: "hi" } })).rejects.toMatchObject({
      message: "body.chat_id: must be text",
    });
  });
});

describe("the check of a config", () => {
  const problemsOf = (config: object) => findConfigProblems("call", config as never).map(({ path }) => path);

  test("its example is valid", () => expect(problemsOf(call.example)).toEqual([]));

  test.each([
    [{}, ["service", "operation"]],
    [{ service: "slak", operation: "send-message" }, ["service"]],
    [{ service: "slack", operation: "sing" }, ["operation"]],
    [{ ...message }, ["body.channel"]],
    [{ ...message, body: { ...body, chanel: "x" } }, ["body.chanel"]],
    [{ ...message, body: { channel: true } }, ["body.channel"]],
    [{ ...message, body: { channel: "{{ $trigger.body.channel }}", unfurl_links: "{{ true }}" } }, []],
    [{ ...message, body: "{{ $trigger.body }}" }, []],
    [{ service: "svc_1", operation: "any", body: { a: 1 } }, []],
    [{ service: "{{ $trigger.body.service }}", operation: "x" }, []],
  ])("%j", (config, problems) => expect(problemsOf(config)).toEqual(problems));

  test("knows whether a call writes", () => {
    expect(call.acts?.({ service: "slack", operation: "list-channels" })).toBe("read");
    expect(call.acts?.(message)).toBe("write");
    expect(call.acts?.({ service: "svc_1", operation: "x" })).toBe("write");
  });
});

describe("every service", () => {
  const operations = allServices.flatMap((service) => service.operations.map((operation) => ({ service, operation })));

  test("and each of its operations has a unique id", () => {
    const ids = operations.map(({ service, operation }) => `${service.id} ${operation.id}`);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]+ [a-z0-9-]+$/);
  });

  test("declares the parameters in its paths and headers", () => {
    for (const { service, operation } of operations) {
      const known = Object.keys(operation.parameters?.shape ?? {});
      const inPath = [...operation.path.matchAll(/\{([^{}]+?)\+?\}/g)].map(([, name]) => name);
      const missing = [...inPath, ...(operation.headers ?? [])].filter((name) => name !== "credential");
      expect([service.id, operation.id, missing.filter((name) => !known.includes(name ?? ""))]).toEqual([
        service.id,
        operation.id,
        [],
      ]);
    }
  });

  test("has a base URL, credentials, and 4 to 12 operations", () => {
    for (const { baseUrl, baseUrlExample, credentials, operations: own } of allServices) {
      expect(URL.canParse(baseUrl ?? baseUrlExample ?? "")).toBe(true);
      expect(credentials.length).toBeGreaterThan(0);
      expect(own.length).toBeGreaterThanOrEqual(4);
      expect(own.length).toBeLessThanOrEqual(12);
    }
  });
});
