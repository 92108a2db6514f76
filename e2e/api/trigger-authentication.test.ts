import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { api, credential, flow, unique } from "../support/secret-calls.ts";

const echo = [
  { id: "echo", type: "transform", config: { transform: "{body: $trigger.body, headers: $trigger.headers}" } },
];

async function call(
  url: string,
  headers: Record<string, string> = {},
  body: string | Uint8Array<ArrayBuffer> = '{"n":1}',
) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text), headers: answer.headers };
}

async function executionsOf(flowId: string): Promise<number> {
  return (await api("GET", `/executions?flowId=${flowId}`)).body.pagination.total;
}

const sign = (text: string | Buffer, secret: string, encoding: "hex" | "base64" = "hex") =>
  createHmac("sha256", secret).update(text).digest(encoding);
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

type Case = {
  type: string;
  data: object;
  challenge: RegExp;
  right: Record<string, string>;
  wrong: Record<string, string>[];
};
const cases: Case[] = [
  {
    type: "basic",
    data: { username: "ann", password: "pä:ss-word" },
    challenge: /^Basic realm=/,
    right: { authorization: basic("ann:pä:ss-word") },
    wrong: [
      { authorization: basic("ann:pass-word") },
      { authorization: basic("bob:pä:ss-word") },
      { authorization: basic("ann:") },
      { authorization: "Basic" },
      { authorization: "Bearer pä:ss-word".replace("ä", "a") },
      { authorization: "ann:pass-word" },
    ],
  },
  {
    type: "bearer",
    data: { token: "t0ken-of-the-caller" },
    challenge: /^Bearer realm=/,
    right: { authorization: "bearer t0ken-of-the-caller" },
    wrong: [
      { authorization: "Bearer t0ken-of-the-calle" },
      { authorization: "Bearer t0ken-of-the-caller2" },
      { authorization: "Bearer" },
      { authorization: "t0ken-of-the-caller" },
      { "x-authorization": "Bearer t0ken-of-the-caller" },
    ],
  },
  {
    type: "header",
    data: { name: "X-Api-Key", value: "k3y-of-the-caller" },
    challenge: /^ApiKey realm=/,
    right: { "x-api-key": "k3y-of-the-caller" },
    wrong: [{ "x-api-key": "k3y" }, { "x-api-key": "" }, { authorization: "k3y-of-the-caller" }],
  },
  {
    type: "hmac",
    data: { secret: "hm4c-secret", header: "X-Sig", encoding: "base64", prefix: "v1:" },
    challenge: /^Signature realm=/,
    right: { "x-sig": `v1:${sign('{"n":1}', "hm4c-secret", "base64")}` },
    wrong: [
      { "x-sig": `v1:${sign('{"n":2}', "hm4c-secret", "base64")}` },
      { "x-sig": `v1:${sign('{"n":1}', "other-secret", "base64")}` },
      { "x-sig": sign('{"n":1}', "hm4c-secret", "base64") },
      { "x-sig": "hm4c-secret" },
    ],
  },
];

describe.each(cases)("a trigger with $type authentication", ({ type, data, challenge, right, wrong }) => {
  // Proves trigger-urls.unauthorized, trigger.authentication
  test("runs for callers with the secret, and refuses everyone else without a trace", async () => {
    const { name } = await credential(type, data);
    const { id, url } = await flow(echo, { authentication: type, credential: name });
    for (const headers of [{}, ...wrong]) {
      const refused = await call(url, headers);
      expect(refused.status).toBe(401);
      expect(refused.body).toMatchObject({ success: false, error: { code: "UNAUTHORIZED" } });
      expect(refused.headers.get("www-authenticate")).toMatch(challenge);
      expect(refused.headers.get("x-execution-id")).toBeNull();
    }
    expect(await executionsOf(id)).toBe(0);

    const answer = await call(url, right);
    expect(answer.status).toBe(200);
    expect(answer.body.body).toEqual({ n: 1 });
    expect(await executionsOf(id)).toBe(1);
  });

  test("hides the caller's secret from the flow", async () => {
    const { name } = await credential(type, data);
    const { url } = await flow(echo, { authentication: type, credential: name });
    const { body } = await call(url, right);
    const [header = ""] = Object.keys(right);
    const shown = type === "hmac" ? right[header] : "•••";
    expect(body.headers[header]).toBe(shown);
  });

  test("refuses every caller if the credential is of another type, deleted or missing", async () => {
    const other = await credential("secret", { value: "s3cret-value" });
    const mismatched = await flow(echo, { authentication: type, credential: other.name });
    const unknown = await flow(echo, { authentication: type, credential: unique("none") });
    const unnamed = await flow(echo, { authentication: type });
    const unstorable = await flow(echo, { authentication: type, credential: "a\u0000b" });
    const deleted = await credential(type, data);
    const orphaned = await flow(echo, { authentication: type, credential: deleted.name });
    expect((await call(orphaned.url, right)).status).toBe(200);
    await api("DELETE", `/credentials/${deleted.id}`);
    for (const { url, id } of [mismatched, unknown, unnamed, unstorable, orphaned]) {
      for (const headers of [{}, right, { authorization: "Bearer " }, { authorization: basic(":") }]) {
        expect((await call(url, headers)).status).toBe(401);
      }
      expect(await executionsOf(id)).toBe(id === orphaned.id ? 1 : 0);
    }
  });

  test("follows a change of the credential at once", async () => {
    const { name, id } = await credential("secret", { value: "s3cret-value" });
    const { url } = await flow(echo, { authentication: type, credential: name });
    expect((await call(url, right)).status).toBe(401);
    await api("PATCH", `/credentials/${id}`, { body: { type, data } });
    expect((await call(url, right)).status).toBe(200);
  });
});

describe("a signature", () => {
  test("covers the exact bytes, whatever their type", async () => {
    const { name } = await credential("hmac", { secret: "hm4c-secret" });
    const { url } = await flow(echo, { authentication: "hmac", credential: name });
    const bodies = ['{ "n" :\t1.0 }', "", Buffer.from([0, 255, 128, 10])];
    for (const body of bodies) {
      const type = typeof body === "string" ? "application/json" : "application/octet-stream";
      const headers = { "content-type": type, "x-webhook-signature": sign(body, "hm4c-secret") };
      expect((await call(url, headers, body)).status).toBe(200);
      expect((await call(url, headers, Buffer.concat([Buffer.from(body), Buffer.from(" ")]))).status).toBe(401);
    }
  });

  // Proves trigger-urls.presets
  test("of GitHub, Stripe, Shopify and Standard Webhooks is supported", async () => {
    const { name } = await credential("hmac", { secret: "hm4c-secret" });
    const now = Math.floor(Date.now() / 1_000);
    const body = '{"n":1}';
    const signed: Record<string, Record<string, string>> = {
      github: { "x-hub-signature-256": `sha256=${sign(body, "hm4c-secret")}` },
      stripe: { "stripe-signature": `t=${now},v1=${sign(`${now}.${body}`, "hm4c-secret")}` },
      shopify: { "x-shopify-hmac-sha256": sign(body, "hm4c-secret", "base64") },
      "standard-webhooks": {
        "webhook-id": "msg_1",
        "webhook-timestamp": `${now}`,
        "webhook-signature": `v1,${sign(`msg_1.${now}.${body}`, "hm4c-secret", "base64")}`,
      },
    };
    for (const preset of Object.keys(signed)) {
      const { url } = await flow(echo, { authentication: "hmac", credential: name, preset });
      for (const [sender, headers] of Object.entries(signed)) {
        expect([preset, sender, (await call(url, headers)).status]).toEqual([
          preset,
          sender,
          sender === preset ? 200 : 401,
        ]);
      }
    }
    const late = { "stripe-signature": `t=${now - 600},v1=${sign(`${now - 600}.${body}`, "hm4c-secret")}` };
    const { url } = await flow(echo, { authentication: "hmac", credential: name, preset: "stripe" });
    expect((await call(url, late)).status).toBe(401);
  });

  test("of an unknown preset is refused when the flow is written", async () => {
    const trigger = { type: "webhook", config: { authentication: "hmac", preset: "gitlab" } };
    const { status, body } = await api("POST", "/flows", { body: { name: "x", trigger, nodes: [] } });
    expect(status).toBe(400);
    expect(body.error.details).toHaveProperty(["trigger.config.preset"]);
  });
});

test("the caller's own key to this API opens no trigger", async () => {
  const { name } = await credential("bearer", { token: "t0ken-of-the-caller" });
  const { url } = await flow(echo, { authentication: "bearer", credential: name });
  const { key } = (await api("POST", "/api-keys", { body: { name: "caller" } })).body.data;
  expect((await call(url, { authorization: `Bearer ${key}` })).status).toBe(401);
});

test("a refused caller does not learn that the flow is inactive", async () => {
  const { name } = await credential("bearer", { token: "t0ken-of-the-caller" });
  const { id, url } = await flow(echo, { authentication: "bearer", credential: name });
  await api("PATCH", `/flows/${id}`, { body: { status: "inactive" } });
  expect((await call(url)).status).toBe(401);
  expect((await call(url, { authorization: "Bearer t0ken-of-the-caller" })).status).toBe(400);
});

describe("a flow becomes active only with a credential that its trigger can use", () => {
  const activate = (id: string) => api("PATCH", `/flows/${id}`, { body: { status: "active" } });

  test("that exists and is of the right type", async () => {
    const { name } = await credential("bearer", { token: "t0ken-of-the-caller" });
    const right = await flow(echo, { authentication: "bearer", credential: name });
    expect((await activate(right.id)).status).toBe(200);

    const wrong = [{ credential: unique("none") }, {}, { credential: "a\u0000b" }, { credential: 7 }];
    for (const config of wrong) {
      const { id } = await flow(echo, { authentication: "bearer", ...config });
      const answer = await activate(id);
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body.error.details)).toEqual(["trigger.config.credential"]);
      expect((await api("GET", `/flows/${id}`)).body.data.status).toBe("draft");
    }
    const mismatched = await activate((await flow(echo, { authentication: "hmac", credential: name })).id);
    expect(mismatched.body.error.details["trigger.config.credential"]).toMatch(/type hmac.*is of type bearer/);
  });

  test("also when it is activated, and when an active one is changed", async () => {
    const { name } = await credential("bearer", { token: "t0ken-of-the-caller" });
    const trigger = (authentication: string) => ({ type: "webhook", config: { authentication, credential: name } });
    const make = (authentication: string) =>
      api("POST", "/flows", {
        body: { name: unique("flow"), status: "active", trigger: trigger(authentication), nodes: echo },
      });
    expect((await make("basic")).status).toBe(400);
    const made = await make("bearer");
    expect(made.status).toBe(201);
    const changed = await api("PATCH", `/flows/${made.body.data.id}`, { body: { trigger: trigger("basic") } });
    expect(changed.status).toBe(400);
  });
});
