import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { api, credential, flow, receiver, run, unique } from "../support/secret-calls.ts";

let outside: Awaited<ReturnType<typeof receiver>>;
beforeAll(async () => {
  outside = await receiver();
});
afterAll(() => outside.close());

const request = (config: object) => ({ id: "call", type: "http-request", config: { url: outside.url, ...config } });
const lastReceived = () => outside.received.at(-1);

describe("a credential named by a request is sent", () => {
  // Proves http-request.credential
  test.each<[string, object, Record<string, string>]>([
    ["bearer", { token: "t0ken-value" }, { authorization: "Bearer t0ken-value" }],
    ["basic", { username: "ann", password: "pass-word" }, { authorization: "Basic YW5uOnBhc3Mtd29yZA==" }],
    ["header", { name: "X-Api-Key", value: "k3y-value" }, { "x-api-key": "k3y-value" }],
  ])("%s, in a header", async (type, data, headers) => {
    const { name } = await credential(type, data);
    const { execution } = await run([request({ credential: name })]);
    expect(execution.status).toBe("completed");
    expect(lastReceived()?.headers).toMatchObject(headers);
    const [secret = ""] = Object.values(headers);
    expect(JSON.stringify(execution)).not.toContain(secret.split(" ").at(-1));
    expect(JSON.stringify(execution)).toContain("•••");
  });

  // Proves http-request.credential
  test("query, in the address", async () => {
    const { name } = await credential("query", { name: "api_key", value: "k3y/value+x" });
    const { execution } = await run([request({ credential: name, query: { a: 1 } })]);
    expect(lastReceived()?.url).toBe("/?a=1&api_key=k3y%2Fvalue%2Bx");
    expect(execution.output.body.url).toBe("/?a=1&api_key=•••");
  });

  test.each(["secret", "hmac", "custom"])("but not %s, which says what to do instead", async (type) => {
    const data = { value: "s3cret-value", secret: "s3cret-value" };
    const { name } = await credential(type, data);
    const before = outside.received.length;
    const { execution } = await run([request({ credential: name })]);
    expect(execution.error).toMatchObject({ code: "CREDENTIAL_TYPE", nodeId: "call" });
    expect(outside.received.length).toBe(before);
  });
});

describe("$credentials", () => {
  // Proves credentials.value
  test("is a string for a secret, and an object for any other", async () => {
    const secret = await credential("secret", { value: "s3cret-value" });
    const custom = await credential("custom", { user: "ann-of-old", password: "pass-word" });
    const hook = await credential("hmac", { secret: "hm4c-secret", toleranceSeconds: 300 });
    const headers = {
      "x-secret": `{{ $credentials.${secret.name} }}`,
      "x-both": `{{ $credentials['${custom.name}'].user + "/" + $credentials.${custom.name}.password }}`,
      "x-hook": `{{ Object.keys($credentials.${hook.name}).join() + $credentials.${hook.name}.toleranceSeconds }}`,
    };
    const { execution } = await run([request({ headers })]);
    expect(execution.status).toBe("completed");
    expect(lastReceived()?.headers).toMatchObject({
      "x-secret": "s3cret-value",
      "x-both": "ann-of-old/pass-word",
      "x-hook": "secret,toleranceSeconds300",
    });
    expect(execution.output.body.headers).toMatchObject({ "x-secret": "•••", "x-both": "•••/•••" });
  });

  test.each([
    ["in a field", (name: string) => request({ headers: { a: `{{ $credentials.${name} }}` } })],
    ["in a longer expression", (name: string) => request({ url: `{{ "http://x/" + $credentials["${name}"].token }}` })],
    ["in code", (name: string) => ({ id: "call", type: "code", config: { code: `return $credentials.${name}` } })],
    ["as the credential of a request", (name: string) => request({ credential: name })],
  ])("of a name that is not there fails the node, and tells the name: %s", async (_, node) => {
    const name = unique("missing");
    const { execution } = await run([node(name)]);
    expect(execution.error).toEqual({
      message: `There is no credential named "${name}"`,
      nodeId: "call",
      code: "UNKNOWN_CREDENTIAL",
    });
  });

  test("in unparsable code is a syntax error, whatever credentials it names", async () => {
    const { execution } = await run([{ id: "call", type: "code", config: { code: "return $credentials." } }]);
    expect(execution.error.code).toBe("INVALID_EXPRESSION");
  });
});

describe("a credential that is bound to hosts", () => {
  const expression = (name: string) => `{{ $credentials.${name} }}`;
  const uses: [string, string, object, (name: string) => object][] = [
    ["named by a request", "bearer", { token: "t0ken-value" }, (name) => ({ credential: name })],
    ["in a header", "secret", { value: "s3cret-value" }, (name) => ({ headers: { a: expression(name) } })],
    ["in the query", "secret", { value: "s3cret value" }, (name) => ({ query: { a: expression(name) } })],
    ["in the body", "secret", { value: "s3cret-value" }, (name) => ({ method: "POST", body: { a: expression(name) } })],
    [
      "in base64",
      "secret",
      { value: "s3cret-value" },
      (name) => ({
        headers: { a: `{{ (() => { ${base64InSandbox} return encode("user:" + $credentials.${name}) })() }}` },
      }),
    ],
  ];
  // Proves credentials.hosts
  test.each(uses)("goes to these and to no other: %s", async (_, type, data, use) => {
    const mine = await credential(type, data, { allowedHosts: ["127.0.0.1"] });
    expect((await run([request(use(mine.name))])).execution).toMatchObject({ status: "completed" });

    const before = outside.received.length;
    const other = await credential(type, data, { allowedHosts: ["api.example.com", "*.127.0.0.1"] });
    const { execution } = await run([request(use(other.name))]);
    expect(execution.error).toMatchObject({ code: "CREDENTIAL_HOST", nodeId: "call" });
    expect(execution.error.message).toContain("api.example.com");
    expect(outside.received.length).toBe(before);
  });

  // Proves http-request.redirect-secrets
  test("is dropped when a redirect leads to another host", async () => {
    const elsewhere = outside.url.replace("127.0.0.1", "localhost");
    const { name } = await credential("secret", { value: "s3cret-value" }, { allowedHosts: ["127.0.0.1"] });
    const url = `${outside.url}/to?${encodeURIComponent(`${elsewhere}/arrived`)}`;
    await run([request({ url, headers: { "x-key": expression(name), "x-plain": "stays" } })]);
    expect(lastReceived()).toMatchObject({ url: "/arrived", headers: { "x-plain": "stays" } });
    expect(lastReceived()?.headers).not.toHaveProperty("x-key");

    const body = await run([request({ url, method: "POST", body: { key: expression(name) } })]);
    expect(body.execution.output.status).toBe(307);
    expect(lastReceived()?.url).toMatch(/^\/to/);
  });
});

/** The sandbox has no btoa. */
const base64InSandbox = `const encode = (text) => {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const bits = [...text].map((c) => c.charCodeAt(0).toString(2).padStart(8, "0")).join("");
  return bits.match(/.{1,6}/g).map((b) => letters[parseInt(b.padEnd(6, "0"), 2)]).join("");
};`.replace(/\n\s*/g, " ");

describe("what comes back from outside is masked too", () => {
  // Proves expressions.masked
  test("before the credential is used, and in a node that does not use it", async () => {
    const { name } = await credential("secret", { value: "s3cret-value" });
    const echoed = { id: "early", type: "transform", config: { transform: "$trigger.body.echo" } };
    const { execution } = await run([echoed, request({ headers: { a: `{{ $credentials.${name} }}` } })], {
      echo: "it is s3cret-value",
    });
    expect(execution.nodes[0].output).toBe("it is •••");
  });

  test("in the headers of the flow's own answer", async () => {
    const { name } = await credential("secret", { value: "s3cret-value" });
    const respond = {
      status: 201,
      headers: { "x-key": `{{ $credentials.${name} }}` },
      body: `{{ $credentials.${name} }}`,
    };
    const { url } = await flow([{ id: "answer", type: "respond", config: respond }]);
    const answer = await fetch(url, { method: "POST", body: "{}" });
    expect(answer.status).toBe(201);
    expect([...answer.headers.values(), await answer.text()].join()).not.toContain("s3cret-value");
  });

  test("with the old value of a credential that was changed during the run", async () => {
    const { name, id } = await credential("secret", { value: "s3cret-value" });
    const nodes = [
      request({ url: `${outside.url}/slow/${name}`, headers: { a: `{{ $credentials.${name} }}` } }),
      { id: "say", type: "transform", config: { transform: `$trigger.body.echo + $credentials.${name}` } },
    ];
    const made = await flow(nodes);
    const running = api("POST", `/flows/${made.id}/execute`, {
      body: { data: { echo: "s3cret-value " }, async: false },
    });
    await expect.poll(() => lastReceived()?.url).toBe(`/slow/${name}`);
    await api("PATCH", `/credentials/${id}`, { body: { data: { value: "n3w-value" } } });
    expect((await running).body.data.output).toBe("••• •••");
  });
});
