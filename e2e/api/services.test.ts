// Services over HTTP: those that everyone has, OpenAPI documents that become services, and calls of both.
import { describe, expect, test } from "vitest";
import { call, del, get, post, put } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { createFlow, execute, node, run } from "#e2e/support/flows.ts";
import { newTenant } from "#e2e/support/matrix/own-resources.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";

inOwnWorkspace("Services");

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string | null;
  readonly sourceUrl: string | null;
  readonly isImported: boolean;
  readonly operationCount: number;
  readonly operations: readonly { readonly id: string; readonly name: string }[];
  readonly skipped: readonly unknown[];
}
interface Reimported extends Shown {
  readonly changes: { readonly added: string[]; readonly removed: string[]; readonly changed: string[] };
  readonly flows: readonly { readonly flowId: string; readonly nodes: readonly unknown[] }[];
}

const pet = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const documentAt = (url: string, paths: object = {}) => ({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url }],
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
  paths: {
    "/pets/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      put: {
        operationId: "putPet",
        summary: "Rename a pet",
        tags: ["Pets"],
        parameters: [{ name: "notify", in: "query", schema: { type: "boolean" } }],
        requestBody: json(pet),
        responses: { "200": json(pet) },
      },
    },
    ...paths,
  },
});
let made = 0;
const unique = (name: string) => {
  made += 1;
  return `${name} ${made}`;
};
const imported = async (document: unknown, name = unique("Pets")) => {
  const answer = await post<Shown>("/services", { name, document });
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
};

describe("the catalogue", () => {
  // Proves services.catalogue
  test("has twenty services, and their operations by search", async () => {
    const { data, body } = await get<Shown[]>("/services?limit=100").then((answer) => ({ ...answer, body: answer }));
    expect(body.status).toBe(200);
    expect(data.filter(({ isImported }) => !isImported)).toHaveLength(20);
    const found = await get<{ service: string; id: string }[]>("/operations?search=slack%20send%20message");
    expect(found.data[0]).toMatchObject({ service: "slack", id: "send-message" });
    const all = await get<unknown[]>("/operations?service=stripe&limit=100");
    expect(all.data).toHaveLength(10);
    const operation = await get<{ bodySchema: object }>("/services/slack/operations/send-message");
    expect(operation.data.bodySchema).toMatchObject({
      properties: { channel: { type: "string" } },
      required: ["channel"],
    });
    expect((await get("/services/none")).status).toBe(404);
    expect((await get("/services/slack/operations/none")).status).toBe(404);
  });
});

describe("a call", () => {
  // Proves nodes.call
  test("asks the service as its documentation says, and gives its answer", async () => {
    const server = await countingServer(() => ({ body: { ok: true, ts: "1.2" } }));
    await post("/credentials", { name: "slackBot", type: "bearer", data: { token: "xoxb-very-secret" } });
    const config = {
      ...{ service: "slack", operation: "send-message", credential: "slackBot", baseUrl: server.url },
      body: { channel: "C1", text: "Order {{ $trigger.body.id }}" },
    };
    const ended = await run([node("say", "call", config)], [], { id: 7 });
    expect(ended.error).toBeUndefined();
    expect(ended.output).toEqual({ ok: true, ts: "1.2" });
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({ method: "POST", headers: { authorization: "Bearer xoxb-very-secret" } });
    expect(JSON.parse(String(server.received[0]?.body))).toEqual({ channel: "C1", text: "Order 7" });
  });

  test("is refused by the guard of addresses, and checked before it is saved", async () => {
    const config = { service: "github", operation: "list-issues", parameters: { owner: "a", repo: "b" } };
    const ended = await run([node("ask", "call", { ...config, baseUrl: "http://169.254.169.254" })]);
    expect(ended.error?.code).toBe("BLOCKED_ADDRESS");
    const checked = await post<{ errors?: unknown[] }>("/flows/check", {
      ...{ trigger: { type: "manual" }, edges: [], name: "x" },
      nodes: [node("ask", "call", { ...config, parameters: { owner: "a" } })],
    });
    expect(checked.text).toContain("parameters.repo");
  });
});

describe("a document", () => {
  // Proves services.import
  test("becomes a service, whose operation a flow calls", async () => {
    const server = await countingServer(() => ({ body: { name: "Rex" } }));
    const made = await imported(documentAt(`${server.url}/v1`));
    expect(made).toMatchObject({ isImported: true, operationCount: 1, baseUrl: `${server.url}/v1`, skipped: [] });
    const listed = await get<Shown>(`/services/${made.id}`);
    expect(listed.data.operations).toMatchObject([{ id: "putPet", name: "Rename a pet", group: "Pets" }]);
    const found = await get<{ service: string }[]>("/operations?search=rename%20pet");
    expect(found.data.map(({ service }) => service)).toContain(made.id);
    const config = {
      service: made.id,
      operation: "putPet",
      parameters: { id: 7, notify: true },
      body: { name: "Rex" },
    };
    const flow = await createFlow({ nodes: [node("rename", "call", config)] });
    expect((await execute(flow.id)).output).toEqual({ name: "Rex" });
    expect(server.received).toMatchObject([{ method: "PUT", url: "/v1/pets/7?notify=true" }]);
    expect((await del(`/services/${made.id}`)).status).toBe(204);
    expect((await execute(flow.id)).error?.code).toBe("SERVICE_NOT_FOUND");
  });

  // Proves services.import-styles
  test("says how parameters are written, cookies among them, and at which server an operation is", async () => {
    const server = await countingServer(() => ({ body: {} }));
    const list = { type: "array", items: { type: "string" } };
    const parameters = [
      { name: "ids", in: "path", style: "matrix", schema: list },
      { name: "tags", in: "query", style: "pipeDelimited", schema: list },
      { name: "filter", in: "query", style: "deepObject", schema: { type: "object" } },
      { name: "session", in: "cookie", schema: { type: "string" } },
    ];
    const servers = [{ url: `${server.url}/{version}`, variables: { version: { default: "v1" } } }];
    const paths = { "/find{ids}": { servers, get: { operationId: "find", parameters, responses: {} } } };
    const made = await imported(documentAt("https://pets.test", paths));
    const values = { ids: ["a", "b"], tags: ["c", "d e"], filter: { kind: "cat" }, session: "s 1", version: "v2" };
    const ended = await run([node("find", "call", { service: made.id, operation: "find", parameters: values })]);
    expect(ended.error).toBeUndefined();
    expect(server.received).toMatchObject([
      { url: "/v2/find;ids=a,b?tags=c%7Cd%20e&filter%5Bkind%5D=cat", headers: { cookie: "session=s%201" } },
    ]);
    const operation = await get(`/services/${made.id}/operations/find`);
    expect(operation.data).toMatchObject({ baseUrl: `${server.url}/v1` });
  });

  test("may be YAML, given or at an address", async () => {
    const yaml =
      "openapi: 3.0.0\ninfo: {title: Yaml, version: '1'}\npaths: {/a: {get: {operationId: a, responses: {}}}}\n";
    const server = await countingServer(() => ({ headers: { "content-type": "application/yaml" }, body: yaml }));
    expect(await imported(yaml)).toMatchObject({ operationCount: 1, baseUrl: null });
    const fetched = await post<Shown>("/services", { name: unique("Fetched"), url: `${server.url}/openapi.yaml` });
    expect(fetched.status, fetched.text).toBe(201);
    expect(fetched.data.sourceUrl).toBe(`${server.url}/openapi.yaml`);
    const guarded = await post("/services", { name: unique("No"), url: "http://169.254.169.254/latest" });
    expect([guarded.status, guarded.error?.details]).toEqual([
      400,
      { url: expect.stringContaining("could not be fetched") },
    ]);
  });

  // Proves services.import-again
  test("is imported again with a report of what changed and which flows that touches", async () => {
    const oldPaths = { "/old": { get: { operationId: "old", responses: {} } } };
    const made = await imported(documentAt("https://pets.test", oldPaths));
    const config = { service: made.id, operation: "putPet", parameters: { id: 7 }, body: { name: "Rex" } };
    const loop = node("each", "loop", {
      items: "{{ [1] }}",
      body: { nodes: [node("in", "call", { service: made.id, operation: "old" })], edges: [] },
    });
    const flow = await createFlow({ nodes: [node("rename", "call", config), loop] });
    const after = documentAt("https://pets.test", { "/new": { get: { operationId: "new", responses: {} } } });
    after.paths["/pets/{id}"].put.parameters.push({ name: "x", in: "query", schema: { type: "boolean" } });
    const dry = await put<Reimported>(`/services/${made.id}?dryRun=true`, { document: after });
    expect(dry.status, dry.text).toBe(200);
    expect((await get<Shown>(`/services/${made.id}`)).data.operations.map(({ id }) => id)).toEqual(["putPet", "old"]);
    const again = await put<Reimported>(`/services/${made.id}`, { document: after });
    expect(again.data.changes).toEqual({ added: ["new"], removed: ["old"], changed: ["putPet"] });
    expect(dry.data.flows).toEqual(again.data.flows);
    expect(again.data.flows).toMatchObject([
      {
        flowId: flow.id,
        nodes: expect.arrayContaining([
          { id: "rename", operation: "putPet", change: "changed" },
          { id: "in", operation: "old", change: "removed" },
        ]),
      },
    ]);
    expect((await get<Shown>(`/services/${made.id}`)).data.operations.map(({ id }) => id)).toEqual(["putPet", "new"]);
    const renamed = await put<Reimported>(`/services/${made.id}`, { name: unique("Renamed") });
    expect(renamed.data).toMatchObject({ operationCount: 2, changes: { added: [], removed: [], changed: [] } });
  });

  test("by its address: a document is fetched once for its preview and its import", async () => {
    const text = () => JSON.stringify(documentAt("https://pets.test", { [`/${server.received.length}`]: { get: {} } }));
    const server = await countingServer(() => ({ headers: { "content-type": "application/json" }, body: text() }));
    const made = await imported(documentAt("https://pets.test"));
    const body = { url: `${server.url}/openapi.json` };
    const dry = await put<Reimported>(`/services/${made.id}?dryRun=true`, body);
    const again = await put<Reimported>(`/services/${made.id}`, body);
    expect([again.data.changes, server.received.length]).toEqual([dry.data.changes, 1]);
    await put<Reimported>(`/services/${made.id}`, body);
    expect(server.received.length).toBe(2);
  });

  // Proves services.uses
  test("tells which flows call it, live, in loops and in working copies, and where it came from", async () => {
    const text = JSON.stringify(documentAt("https://pets.test"));
    const server = await countingServer(() => ({ headers: { "content-type": "application/json" }, body: text }));
    const url = `${server.url}/openapi.json?key=${"secret".repeat(3)}`;
    const { data: made } = await post<Shown>("/services", { name: unique("Used"), url });
    expect(made.sourceUrl).toBe(`${server.url}/openapi.json`);
    expect((await get(`/services/${made.id}/uses`)).data).toEqual([]);

    const config = { service: made.id, operation: "putPet", parameters: { id: 7 }, body: { name: "Rex" } };
    const body = { nodes: [node("in", "call", config)], edges: [] };
    const live = await createFlow({ name: "A live one", nodes: [node("each", "loop", { items: "{{ [1] }}", body })] });
    const drafted = await createFlow({ name: "B drafted", nodes: [node("log", "log", { message: made.id })] });
    const definition = { trigger: { type: "manual" }, nodes: [node("rename", "call", config)], edges: [] };
    expect((await put(`/flows/${drafted.id}/draft`, { definition })).status).toBe(200);
    const call = (id: string) => ({ id, name: expect.any(String), operation: "putPet" });
    expect((await get(`/services/${made.id}/uses`)).data).toEqual([
      { flowId: live.id, flowName: "A live one", flowStatus: "draft", nodes: [call("in")] },
      { flowId: drafted.id, flowName: "B drafted", flowStatus: "draft", nodes: [], draftNodes: [call("rename")] },
    ]);
    expect((await get("/services/slack/uses")).status).toBe(200);
    expect((await get("/services/none/uses")).status).toBe(404);

    const own = await get<Shown[]>(`/services?imported=true&search=${made.name.split(" ")[0]}&limit=100`);
    expect(own.data.map(({ isImported }) => isImported)).not.toContain(false);
    expect(own.data.map(({ id }) => id)).toContain(made.id);
    const renamed = await put<Shown>(`/services/${made.id}`, { name: unique("Still used") });
    expect(renamed.data.sourceUrl).toBe(made.sourceUrl);
    const given = await put<Shown>(`/services/${made.id}`, { document: text });
    expect(given.data.sourceUrl).toBeNull();
  });

  // Proves services.import-limits
  test.each([
    ["nothing", {}, "document"],
    ["both", { document: "{}", url: "https://x.test" }, "document"],
    ["no document", { document: "hello" }, "document"],
    [
      "a remote reference",
      { document: documentAt("https://x.test", { "/a": { $ref: "https://evil.test/a" } }) },
      "document",
    ],
    ["more than 5 MiB", { document: " ".repeat(5_300_000) }, "document"],
    ["a name with U+0000", { name: "a\u0000b", document: documentAt("https://x.test") }, "name"],
    ["a lone surrogate as a name", { name: "\ud800", document: documentAt("https://x.test") }, "name"],
    ["an address with a user", { url: "https://me:you@x.test/" }, "url"],
    [
      "parts that double",
      {
        document: JSON.stringify({
          ...documentAt("https://x.test", {
            "/a": { post: { requestBody: json({ $ref: "#/components/schemas/S30" }), responses: {} } },
          }),
          components: {
            schemas: Object.fromEntries(
              Array.from({ length: 31 }, (_, index) => [
                `S${index}`,
                index === 0 ? pet : { allOf: Array(2).fill({ $ref: `#/components/schemas/S${index - 1}` }) },
              ]),
            ),
          },
        }),
      },
      "document",
    ],
  ])("that has %s is refused, and others are answered meanwhile", async (_, body, field) => {
    const importing = post("/services", { name: unique("Refused"), ...body });
    const began = performance.now();
    expect((await get("/services?limit=1")).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(10_000);
    const answer = await importing;
    expect([answer.status, Object.keys(answer.error?.details ?? {})]).toEqual([400, [field]]);
  });

  test("of 1,000 operations is imported, searched and deleted", async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 999 }, (_, index) => [
        `/things/${index}`,
        { get: { operationId: `thing${index}`, summary: `Read thing ${index}`, responses: {} } },
      ]),
    );
    const made = await imported(documentAt("https://x.test", paths), "Thousand");
    expect(made.operationCount).toBe(1_000);
    const began = performance.now();
    const found = await get<{ id: string }[]>("/operations?search=thousand%20thing%20777");
    const ms = performance.now() - began;
    expect(found.data[0]?.id).toBe("thing777");
    console.log(`Search over 1,165 operations: ${ms.toFixed(0)} ms`);
    expect((await del(`/services/${made.id}`)).status).toBe(204);
  });

  test("imported twice at once under one name is one service", async () => {
    const name = unique("Twins");
    const answers = await Promise.all(
      [1, 2, 3].map(() => post("/services", { name, document: documentAt("https://x.test") })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  test("belongs to its workspace", async () => {
    const made = await imported(documentAt("https://x.test"));
    const { key } = await newTenant("Other");
    expect((await get(`/services/${made.id}`, { key })).status).toBe(404);
    expect((await call("PUT", `/services/${made.id}`, {}, { key })).status).toBe(404);
    expect((await del(`/services/${made.id}`, { key })).status).toBe(404);
    const flow = await call<{ id: string }>(
      ...([
        "POST",
        "/flows",
        {
          name: "x",
          trigger: { type: "manual" },
          nodes: [node("a", "call", { service: made.id, operation: "putPet" })],
        },
        { key },
      ] as const),
    );
    const result = await call<{ error: { code: string } }>(
      "POST",
      `/flows/${flow.data.id}/execute`,
      { data: {}, async: false },
      { key },
    );
    expect(result.text).toContain("SERVICE_NOT_FOUND");
  });
});
