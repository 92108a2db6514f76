// One server with a canary for every secret that it holds or is given, and every operation on them: then every answer,
// row, delivery and log line is searched for them.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dumpOf, keepAnswers, leaksIn } from "../support/canaries.ts";
import { type CanaryNames, canaryFlows } from "../support/canary-flows.ts";
import { eventually } from "../support/eventually.ts";
import { Browser } from "../support/people.ts";
import { api, credential, flow, receiver, run } from "../support/secret-calls.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

const random = () => randomBytes(9).toString("hex");
/** The server's own settings. */
const settings = {
  AUTH_SECRET: `auth-${random()}-${random()}`,
  ENCRYPTION_KEY: `seal-${random()}-${random()}`,
  METRICS_TOKEN: `metrics-${random()}`,
  BOOTSTRAP_PASSWORD: `word-${random()}`,
  BOOTSTRAP_API_KEY: `boot_${random()}${random()}`,
  GITHUB_CLIENT_ID: "millrace",
  GITHUB_CLIENT_SECRET: `github-${random()}`,
};
/** What people store in it, or send to it. */
const given = {
  secret: `canary/${random()} "ü" +kept`,
  password: `basic-${random()}`,
  token: `bearer-${random()}`,
  header: `header-${random()}`,
  custom: `custom-${random()}`,
  webhook: `whsec_${randomBytes(24).toString("base64")}`,
};

let database: TestDatabase;
let server: RunningServer;
let outside: Awaited<ReturnType<typeof receiver>>;
let own: { base: string; key: string };
let answers: ReturnType<typeof keepAnswers>;

beforeAll(async () => {
  outside = await receiver();
  database = await createTestDatabase();
  server = await startServer({
    env: { DATABASE_URL: database.url, BOOTSTRAP_EMAIL: "owner@example.com", ...settings },
  });
  own = { base: server.url, key: settings.BOOTSTRAP_API_KEY };
  answers = keepAnswers(server.url);
});
afterAll(async () => {
  answers?.stop();
  await server?.stop();
  outside?.close();
});

/** A list of keys shows how each begins. */
const hiddenPartOf = (key: string) => key.slice("mill_live_0000".length);

async function makeCredentials(): Promise<CanaryNames> {
  const name = async (type: string, data: object) => (await credential(type, data, {}, own)).name;
  return {
    secret: await name("secret", { value: given.secret }),
    basic: await name("basic", { username: "ann", password: given.password }),
    token: await name("bearer", { token: given.token }),
    header: await name("header", { name: "X-Key", value: given.header }),
    custom: await name("custom", { one: given.custom, two: "of no interest" }),
  };
}

/** Reads everything that the API returns about what was done, and by whom. */
async function readEverything(): Promise<void> {
  const { body } = await api("GET", "/executions?limit=100", own);
  for (const { id, flowId } of body.data as { id: string; flowId: string }[]) {
    for (const path of ["", "/logs", "/nodes/call", "/retry-plan", "/timeline"])
      await api("GET", `/executions/${id}${path}`, own);
    for (const path of ["", "/versions", "/versions/1"]) await api("GET", `/flows/${flowId}${path}`, own);
    await api("POST", `/flows/${flowId}/export`, { ...own, body: { includeExecutions: true } });
    await api("POST", "/expressions/evaluate", {
      ...own,
      body: { expression: "({ $trigger, $nodes, $vars, $execution })", executionId: id },
    });
  }
  const files = new Set(answers.exchanges.flatMap(({ text }) => text.match(/\bfile_\w{26}\b/g) ?? []));
  expect(files.size).toBeGreaterThan(1);
  for (const id of files) {
    const headers = { authorization: `Bearer ${own.key}` };
    expect((await fetch(`${server.url}/api/v1/files/${id}`, { headers })).status).toBe(200);
  }
  const lists = ["flows", "credentials", "api-keys", "webhooks", "members", "invitations", "audit-log", "alert-rules"];
  for (const list of [...lists, "account", "executions/stats", "executions/overview", "workspaces"]) {
    await api("GET", `/${list}?limit=100`, own);
    await api("GET", `/${list}`, own);
  }
  await fetch(`${server.url}/api/metrics`, { headers: { authorization: `Bearer ${settings.METRICS_TOKEN}` } });
  await fetch(`${server.url}/api/health`);
}

// Proves expressions.masked
test("no secret is shown, stored, delivered or logged", async () => {
  const names = await makeCredentials();
  const subscription = await api("POST", "/webhooks", {
    ...own,
    body: { url: `${outside.url}/events`, secret: given.webhook, events: ["execution.completed", "execution.failed"] },
  });
  expect(subscription.status).toBe(201);
  await api("POST", `/webhooks/${subscription.body.data.id}/test`, { ...own, body: {} });

  const flows = canaryFlows(names, outside.url);
  for (const nodes of flows) {
    const { executionId, url } = await run(nodes, {}, own);
    await fetch(url, { method: "POST", body: "{}" });
    await api("POST", `/executions/${executionId}/retry`, { ...own, body: {} });
  }
  const guards = [
    ["bearer", names.token, { authorization: `Bearer ${given.token}` }],
    ["basic", names.basic, { authorization: `Basic ${Buffer.from(`ann:${given.password}`).toString("base64")}` }],
    ["header", names.header, { "x-key": given.header }],
  ] as const;
  const echo = [{ id: "echo", type: "transform", config: { transform: "$trigger" } }];
  for (const [authentication, name, headers] of guards) {
    const { url } = await flow(echo, { authentication, credential: name }, own);
    expect((await fetch(url, { method: "POST", headers })).status).toBe(200);
    expect((await fetch(url, { method: "POST", headers: { authorization: "Bearer wrong" } })).status).toBe(401);
  }

  const made = await api("POST", "/api-keys", { ...own, body: { name: "made" } });
  const key = String(made.body.data.key);
  await api("GET", "/account", { base: own.base, key });
  const rotated = await api("POST", `/api-keys/${made.body.data.id}/rotate`, { ...own, body: { graceSeconds: 60 } });
  const browser = new Browser(server.url);
  expect(await browser.signIn("owner@example.com", settings.BOOTSTRAP_PASSWORD)).toBe(null);
  expect(await new Browser(server.url).signIn("owner@example.com", `${settings.BOOTSTRAP_PASSWORD}x`)).not.toBe(null);
  const session = [...browser.cookies.values()].reduce((a, b) => (a.length > b.length ? a : b));
  for (const page of ["/", "/credentials", "/settings/api-keys", "/webhooks", "/runs"]) {
    await (await browser.fetch(page)).text();
  }
  const invited = await api("POST", "/invitations", { ...own, body: { email: "new@example.com", role: "viewer" } });
  const invitation = String(invited.body.data.url).split("/").at(-1) ?? "";
  await fetch(`${server.url}/invitations/${invitation}`);

  const runs = 3 * flows.length;
  await eventually("the events of all runs are delivered", async () => {
    const { body } = await api("GET", `/webhooks/${subscription.body.data.id}/deliveries?status=pending`, own);
    return body.pagination.total === 0 && outside.received.filter(({ url }) => url === "/events").length > runs / 2
      ? true
      : undefined;
  });
  await readEverything();

  // They were really sent, so there was something to leak.
  const arrived = JSON.stringify(outside.received.filter(({ url }) => url !== "/events"));
  for (const sent of [given.token, given.header, given.custom]) expect(arrived).toContain(sent);

  // Generated secrets are shown once, to their creator.
  const once = {
    key: [hiddenPartOf(key), "POST /api/v1/api-keys"],
    rotated: [hiddenPartOf(String(rotated.body.data.key)), `POST /api/v1/api-keys/${made.body.data.id}/rotate`],
    webhook: [given.webhook, "POST /api/v1/webhooks"],
    session: [session, "POST /api/auth/callback/credentials"],
    invitation: [invitation, "POST /api/v1/invitations"],
  } as const;
  const always = { ...settings, ...given } as Record<string, string>;
  delete always.GITHUB_CLIENT_ID;
  delete always.webhook;
  const secrets: Record<string, string> = { ...always };
  for (const [name, [value]] of Object.entries(once)) secrets[name] = value;

  for (const { request, text } of answers.exchanges) {
    // Allowed in its own request's answer, or if the secret itself was sent.
    const here = Object.entries(once).filter(([, [value, by]]) => request !== by && !request.includes(value));
    const expected = { ...always, ...Object.fromEntries(here.map(([name, [value]]) => [name, value])) };
    expect(leaksIn(text, expected), request).toEqual([]);
  }
  const deliveries = JSON.stringify(outside.received.filter(({ url }) => url === "/events"));
  const places = { stored: await dumpOf(database.url), printed: server.logs(), deliveries };
  for (const [place, text] of Object.entries(places)) expect(leaksIn(text, secrets), place).toEqual([]);
  // The search finds what is there.
  expect(leaksIn(JSON.stringify(given.secret), given)).not.toEqual([]);
  const all = answers.exchanges.reduce(
    (sum, { text }) => sum + text.length,
    places.stored.length + places.printed.length,
  );
  console.log(
    `${Object.keys(secrets).length} secrets looked for in ${answers.exchanges.length} answers, the database, the log and the deliveries: ${Math.round(all / 1_024)} KiB.`,
  );
});
