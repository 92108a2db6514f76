import { describe, expect, test } from "vitest";
import { api, credential, unique } from "../support/secret-calls.ts";

const shapes: [string, object][] = [
  ["secret", { value: "s3cret-value" }],
  ["bearer", { token: "t0ken-value" }],
  ["basic", { username: "ann", password: "pass-word" }],
  ["header", { name: "X-Api-Key", value: "k3y-value" }],
  ["query", { name: "api_key", value: "k3y-value" }],
  ["hmac", { secret: "hm4c-secret", header: "X-Sig", encoding: "base64", prefix: "v1=", toleranceSeconds: 300 }],
  [
    "smtp",
    { host: "smtp.example.com", port: 587, username: "shop-user", password: "pass-word", from: "shop@b.example" },
  ],
  ["postgres", { host: "db.example.com", database: "shop", username: "shop", password: "pass-word", security: "none" }],
  ["mysql", { host: "[::1]", port: 3307, database: "shop", username: "shop" }],
  ["mssql", { host: "db.example.com", port: 1433, database: "shop", username: "shop", password: "pass-word" }],
  ["sqlite", { file: "reports/shop 2026.db", access: "read" }],
  ["aws", { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "s3cret-key", region: "eu-central-1" }],
  ["openai", { baseUrl: "http://ollama.internal:11434/v1" }],
  ["anthropic", { apiKey: "sk-secret-key", baseUrl: "https://models.example.com/v1" }],
  ["google-ai", { apiKey: "sk-secret-key" }],
  ["custom", { host: "db.example.com", password: "pass-word" }],
];

describe("a stored credential", () => {
  // Proves credentials.types, credentials.write-only
  test.each(shapes)("of type %s never shows its data", async (type, data) => {
    const name = unique("made");
    const made = await api("POST", "/credentials", { body: { name, type, data } });
    expect(made.status).toBe(201);
    const { id, createdAt, updatedAt } = made.body.data;
    expect(made.body).toEqual({ success: true, data: { id, name, type, createdAt, updatedAt } });
    expect(id).toMatch(/^cred_[0-9a-z]{26}$/);
    expect(new Date(createdAt).toISOString()).toBe(createdAt);

    const read = await api("GET", `/credentials/${id}`);
    expect(read.body).toEqual(made.body);
    const list = await api("GET", "/credentials?limit=100");
    expect(list.body.data).toContainEqual(made.body.data);
    const answers = JSON.stringify([made.body, read.body, list.body]);
    for (const value of Object.values(data)) if (`${value}`.length > 5) expect(answers).not.toContain(`${value}`);
  });

  test("is bound to hosts, in the form in which they are compared", async () => {
    const body = { name: unique("bound"), type: "secret", data: { value: "s3cret-value" } };
    const hosts = ["API.Example.com", "*.example.org", "bücher.example", "[::1]"];
    const { status, body: answer } = await api("POST", "/credentials", { body: { ...body, allowedHosts: hosts } });
    expect(status).toBe(201);
    expect(answer.data.allowedHosts).toEqual(["api.example.com", "*.example.org", "xn--bcher-kva.example", "[::1]"]);
  });

  test("of type hmac has defaults", async () => {
    expect((await credential("hmac", { secret: "hm4c-secret" })).id).toMatch(/^cred_/);
  });

  test("ignores unknown fields", async () => {
    const body = { name: unique("more"), type: "secret", data: { value: "s3cret-value", more: 1 }, id: "cred_x" };
    expect((await api("POST", "/credentials", { body })).status).toBe(201);
  });
});

describe("invalid credentials are refused, with the field", () => {
  const sound = { name: "sound", type: "secret", data: { value: "s3cret-value" } };
  // Proves credentials.name
  test.each<[string, object, string]>([
    ["no name", { ...sound, name: undefined }, "name"],
    ["a name that is no identifier", { ...sound, name: "my-key" }, "name"],
    ["a name that starts with a digit", { ...sound, name: "1st" }, "name"],
    ["a name with U+0000", { ...sound, name: "a\u0000" }, "name"],
    ["an empty name", { ...sound, name: "" }, "name"],
    ["a name of 256 characters", { ...sound, name: "a".repeat(256) }, "name"],
    ["an unknown type", { ...sound, type: "oauth" }, "type"],
    ["no type", { ...sound, type: undefined }, "type"],
    ["no data", { ...sound, data: undefined }, "data"],
    ["no value", { ...sound, data: {} }, "data.value"],
    ["a value that is no text", { ...sound, data: { value: 12345 } }, "data.value"],
    ["a secret of three characters", { ...sound, data: { value: "abc" } }, "data.value"],
    ["a secret of spaces", { ...sound, data: { value: " a    b ".replace(/[ab]/g, " ") } }, "data.value"],
    ["a short token", { ...sound, type: "bearer", data: { token: "abc" } }, "data.token"],
    ["a token with a line break", { ...sound, type: "bearer", data: { token: "t0ken\nvalue" } }, "data.token"],
    ["a short password", { ...sound, type: "basic", data: { username: "ann", password: "abc" } }, "data.password"],
    [
      "a user name with a colon",
      { ...sound, type: "basic", data: { username: "a:b", password: "pass-word" } },
      "data.username",
    ],
    ["a header that is none", { ...sound, type: "header", data: { name: "X Key", value: "k3y-value" } }, "data.name"],
    [
      "an unknown encoding",
      { ...sound, type: "hmac", data: { secret: "hm4c-secret", encoding: "hexa" } },
      "data.encoding",
    ],
    [
      "a negative tolerance",
      { ...sound, type: "hmac", data: { secret: "hm4c-secret", toleranceSeconds: -1 } },
      "data.toleranceSeconds",
    ],
    ["custom data without fields", { ...sound, type: "custom", data: {} }, "data"],
    ["custom data that is no text", { ...sound, type: "custom", data: { port: 5432 } }, "data.port"],
    ["a host with a path", { ...sound, allowedHosts: ["https://example.com/x"] }, "allowedHosts[0]"],
    ["hosts that are no list", { ...sound, allowedHosts: "example.com" }, "allowedHosts"],
  ])("%s", async (_, body, field) => {
    const { status, body: answer } = await api("POST", "/credentials", { body });
    expect(status).toBe(400);
    expect(answer.error.code).toBe("VALIDATION_ERROR");
    expect(Object.keys(answer.error.details)).toContain(field);
  });

  test("the message for a short secret says why, and does not repeat it", async () => {
    const { body } = await api("POST", "/credentials", { body: { ...sound, data: { value: "xyz" } } });
    expect(body.error.details["data.value"]).toMatch(/at least 4 characters.*hidden/);
    expect(JSON.stringify(body)).not.toContain("xyz");
  });
});

describe("a name is unique in the workspace", () => {
  // Proves credentials.name
  test("even for concurrent requests", async () => {
    const body = { name: unique("race"), type: "secret", data: { value: "s3cret-value" } };
    const answers = await Promise.all(Array.from({ length: 8 }, () => api("POST", "/credentials", { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body.error).toMatchObject({ code: "VALIDATION_ERROR", details: { name: expect.any(String) } });
  });

  test("also when a credential is renamed", async () => {
    const [first, second] = [
      await credential("secret", { value: "s3cret-value" }),
      await credential("secret", { value: "s3cret-value" }),
    ];
    const answer = await api("PATCH", `/credentials/${first.id}`, { body: { name: second.name } });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toHaveProperty("name");
    expect((await api("PATCH", `/credentials/${first.id}`, { body: { name: first.name } })).status).toBe(200);
  });

  test("and free again once the credential is deleted", async () => {
    const { name, id } = await credential("secret", { value: "s3cret-value" });
    expect((await api("DELETE", `/credentials/${id}`)).status).toBe(204);
    const body = { name, type: "secret", data: { value: "s3cret-value" } };
    expect((await api("POST", "/credentials", { body })).status).toBe(201);
  });
});

describe("a change", () => {
  // Proves credentials.crud
  test("of nothing is allowed", async () => {
    const { id, name } = await credential("secret", { value: "s3cret-value" });
    const { status, body } = await api("PATCH", `/credentials/${id}`, { body: {} });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, name, type: "secret" });
    expect(body.data.updatedAt > body.data.createdAt).toBe(true);
  });

  test("of the type requires data of that type", async () => {
    const { id } = await credential("secret", { value: "s3cret-value" });
    const change = (body: object) => api("PATCH", `/credentials/${id}`, { body });
    expect((await change({ type: "bearer" })).body.error.details).toHaveProperty("data");
    const wrong = await change({ type: "bearer", data: { value: "x" } });
    expect(wrong.body.error.details).toEqual({ "data.token": expect.any(String) });
    const right = await change({ type: "bearer", data: { token: "t0ken-value" } });
    expect(right.status).toBe(200);
    expect(right.body.data.type).toBe("bearer");
  });

  test("of the data is checked by the credential's type", async () => {
    const { id } = await credential("bearer", { token: "t0ken-value" });
    const answer = await api("PATCH", `/credentials/${id}`, { body: { data: { token: "abc" } } });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toHaveProperty(["data.token"]);
  });

  test("binds to hosts and removes the binding", async () => {
    const { id } = await credential("secret", { value: "s3cret-value" });
    const bound = await api("PATCH", `/credentials/${id}`, { body: { allowedHosts: ["example.com"] } });
    expect(bound.body.data.allowedHosts).toEqual(["example.com"]);
    const free = await api("PATCH", `/credentials/${id}`, { body: { allowedHosts: null } });
    expect(free.body.data).not.toHaveProperty("allowedHosts");
  });
});

describe("a missing credential", () => {
  test.each(["cred_01h455vb4pex5vsknk084sn02q", "flow_01h455vb4pex5vsknk084sn02q", "x", "%00"])("%s", async (id) => {
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const answer = await api(method, `/credentials/${id}`, method === "PATCH" ? { body: {} } : {});
      expect(answer.status).toBe(404);
      expect(answer.body.error.code).toBe("NOT_FOUND");
    }
  });

  // Proves credentials.crud
  test("is also what a second deletion finds", async () => {
    const { id } = await credential("secret", { value: "s3cret-value" });
    expect((await api("DELETE", `/credentials/${id}`)).status).toBe(204);
    expect((await api("DELETE", `/credentials/${id}`)).status).toBe(404);
  });
});

// Proves credentials.crud
test("the list has pages, newest first", async () => {
  const made = [
    await credential("secret", { value: "s3cret-value" }),
    await credential("secret", { value: "s3cret-value" }),
  ];
  const first = await api("GET", "/credentials?limit=1");
  const second = await api("GET", "/credentials?limit=1&page=2");
  expect([first.body.data[0].id, second.body.data[0].id]).toEqual([made[1]?.id, made[0]?.id]);
  const { total } = first.body.pagination;
  expect(first.body.pagination).toEqual({
    page: 1,
    limit: 1,
    total,
    totalPages: total,
    hasNext: true,
    hasPrev: false,
  });
  expect((await api("GET", "/credentials?limit=0")).status).toBe(400);
});

test("reading and writing need their scopes", async () => {
  const { id } = await credential("secret", { value: "s3cret-value" });
  const keyWith = async (scope: string) =>
    (await api("POST", "/api-keys", { body: { name: "scoped", scopes: [scope] } })).body.data.key as string;
  const [reader, writer] = [await keyWith("credentials:read"), await keyWith("credentials:write")];
  const body = { name: unique("scoped"), type: "secret", data: { value: "s3cret-value" } };
  const status = async (method: string, path: string, key: string, sent?: object) =>
    (await api(method, path, { key, ...(sent && { body: sent }) })).status;

  expect(await status("GET", "/credentials", reader)).toBe(200);
  expect(await status("GET", `/credentials/${id}`, reader)).toBe(200);
  expect(await status("POST", "/credentials", reader, body)).toBe(403);
  expect(await status("PATCH", `/credentials/${id}`, reader, {})).toBe(403);
  expect(await status("DELETE", `/credentials/${id}`, reader)).toBe(403);
  expect(await status("GET", "/credentials", writer)).toBe(403);
  expect(await status("GET", `/credentials/${id}`, writer)).toBe(403);
  expect(await status("POST", "/credentials", writer, body)).toBe(201);
  expect(await status("DELETE", `/credentials/${id}`, writer)).toBe(204);
});

test("the API's description has the data of each type", async () => {
  const { body } = await api("GET", "/openapi.json");
  const { $ref } = body.paths["/credentials"].post.requestBody.content["application/json"].schema;
  const schema = body.components.schemas[$ref.split("/").at(-1)];
  const types = (schema.oneOf ?? schema.anyOf).map(
    (schema: { properties: { type: { const: string } } }) => schema.properties,
  );
  expect(types.map((type: { type: { const: string } }) => type.type.const)).toEqual(
    expect.arrayContaining([...shapes.map(([type]) => type), "oauth2"]),
  );
  const hmac = types.find((type: { type: { const: string } }) => type.type.const === "hmac");
  expect(Object.keys(hmac.data.properties)).toEqual(["secret", "header", "encoding", "prefix", "toleranceSeconds"]);
  expect(body.paths["/api-keys/{id}/rotate"].post.requestBody.required).toBe(false);
});
