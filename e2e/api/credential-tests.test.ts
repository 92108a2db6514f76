// Credentials tried on servers of the test's own: mail, databases and services.
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { get, post } from "#e2e/support/api-client.ts";
import { openImapServer } from "#e2e/support/imap-server.ts";
import { openMailbox } from "#e2e/support/mailbox.ts";
import { type MariaDb, startMariaDb } from "#e2e/support/mariadb.ts";
import { newKey, newTenant, type Tenant } from "#e2e/support/matrix/own-resources.ts";
import { oauthData, startProvider } from "#e2e/support/oauth-provider.ts";
import { databaseUrlOf } from "#e2e/support/second-workspace.ts";
import { openTdsServer } from "#e2e/support/tds/server.ts";
import { done } from "#e2e/support/tds/tokens.ts";
import { credentialTypes } from "#lib/contract/credential-types.ts";

let tenant: Tenant;
let mariadb: MariaDb | null = null;
beforeAll(async () => {
  tenant = await newTenant("Tested credentials");
  mariadb = await startMariaDb();
});
afterAll(() => mariadb?.stop());

const secret = "open-sesame-5e5ame";
let made = 0;
async function credential(type: string, data: object, overrides: object = {}): Promise<string> {
  made += 1;
  const given = { name: `tested${made}`, type, data, ...overrides };
  const answer = await post<{ id: string }>("/credentials", given, { key: tenant.key });
  expect(answer.status, answer.text).toBe(201);
  return answer.data.id;
}

interface Tested {
  readonly ok: boolean;
  readonly message: string;
}
async function tried(id: string, body: object = {}): Promise<Tested> {
  const answer = await post<Tested>(`/credentials/${id}/test`, body, { key: tenant.key });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.text).not.toContain(secret);
  expect(answer.text).not.toContain(Buffer.from(secret).toString("base64").slice(0, 16));
  return answer.data;
}

const smtp = (port: number) => ({
  host: "127.0.0.1",
  port,
  security: "none",
  from: "a@b.example",
  username: "shop",
  password: secret,
});
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

// Proves credentials.test
test("a mail server is greeted and signed in to, and no mail is sent", async () => {
  const commands: string[] = [];
  const box = await openMailbox((command) => {
    commands.push(command);
    return /^EHLO/i.test(command) ? "250-mailbox\r\n250 AUTH PLAIN LOGIN" : undefined;
  });
  onTestFinished(() => box.close());
  const { ok, message } = await tried(await credential("smtp", smtp(Number(new URL(box.url).port))));
  expect([ok, message]).toEqual([true, "127.0.0.1 accepted the user name and password."]);
  expect(commands.some((line) => /^AUTH/.test(line))).toBe(true);
  expect(commands.some((line) => /^MAIL|^DATA/.test(line))).toBe(false);
  expect(box.mails).toEqual([]);
});

// Proves credentials.test-no-secret
test("a server that says the secret again does not get it into the answer", async () => {
  const box = await openMailbox((command) => {
    if (/^EHLO/i.test(command)) return "250-mailbox\r\n250 AUTH PLAIN";
    return /^AUTH/.test(command) ? `535 not with ${secret}, nor with ${command}` : undefined;
  });
  onTestFinished(() => box.close());
  const { ok, message } = await tried(await credential("smtp", smtp(Number(new URL(box.url).port))));
  expect([ok, message]).toEqual([false, expect.stringMatching(/did not take the sign-in: 535 not with •••/)]);
});

// Proves credentials.test
test("a server of mailboxes is signed in to, and no mailbox is opened", async () => {
  const server = await openImapServer();
  onTestFinished(() => server.close());
  const data = { host: "127.0.0.1", port: server.port, security: "none", username: "shop", password: secret };
  const message = "127.0.0.1 accepted the user name and password.";
  expect(await tried(await credential("imap", data))).toEqual({ ok: true, message });
  expect(server.commands.some((line) => /^(SELECT|EXAMINE)/.test(line))).toBe(false);
  server.fault = (line, socket, tag) =>
    /^(LOGIN|AUTHENTICATE)/.test(line) && socket.write(`${tag} NO not with ${secret}\r\n`);
  const refused = await tried(await credential("imap", data));
  expect(refused).toMatchObject({ ok: false, message: expect.stringContaining("did not accept") });
  const elsewhere = await credential("imap", data, { allowedHosts: ["imap.example.com"] });
  expect(await tried(elsewhere)).toMatchObject({ ok: false, message: expect.stringContaining("bound to") });
  expect((await tried(await credential("imap", { ...data, host: "10.1.2.3", port: 993 }))).ok).toBe(false);
  const both = { ...data, accessToken: secret };
  const answer = await post("/credentials", { name: "both", type: "imap", data: both }, { key: tenant.key });
  expect([answer.status, answer.error?.details]).toEqual([400, { "data.password": expect.any(String) }]);
});

test("a mail server that is not there, or says nothing, is an answer in words", async () => {
  const silent = createServer(() => {});
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const port = portOf(silent);
  const startedAt = performance.now();
  expect(await tried(await credential("smtp", smtp(port)))).toMatchObject({ ok: false });
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(await tried(await credential("smtp", smtp(1)))).toMatchObject({ ok: false });
  expect((await tried(await credential("smtp", { ...smtp(25), host: "10.1.2.3" }))).ok).toBe(false);
});

// Proves credentials.test
test.skipIf(inject("server").dataDir === undefined)("a PostgreSQL runs a query, or says why not", async () => {
  const { hostname, port, username, password, pathname } = new URL(databaseUrlOf(inject("server").dataDir ?? ""));
  const data = { host: hostname, port: Number(port), database: pathname.slice(1), username, security: "none" };
  expect(await tried(await credential("postgres", { ...data, password }))).toEqual({
    ok: true,
    message: `${hostname} accepted the user name and password, and ran a query.`,
  });
  const wrong = await tried(await credential("postgres", { ...data, password: secret }));
  expect(wrong).toMatchObject({ ok: false, message: expect.stringContaining("password") });
  const elsewhere = await credential("postgres", { ...data, password }, { allowedHosts: ["db.example.com"] });
  expect(await tried(elsewhere)).toMatchObject({ ok: false, message: expect.stringContaining("bound to") });
});

test("a MySQL runs a query, or says why not", async (context) => {
  if (mariadb === null) return context.skip("MariaDB is not installed");
  const { port, database, username, password } = mariadb;
  const data = { host: "127.0.0.1", port, database, username, security: "none" };
  expect(await tried(await credential("mysql", { ...data, password }))).toMatchObject({ ok: true });
  expect(await tried(await credential("mysql", { ...data, password: secret }))).toMatchObject({ ok: false });
});

// Proves credentials.test
test("a SQL Server runs a query, or says why not", async () => {
  const account = { username: "shop", password: "right-sesame", database: "shop" };
  const server = await openTdsServer({ account, answer: () => done() });
  onTestFinished(() => server.close());
  const data = { ...account, host: "127.0.0.1", port: server.port, security: "none" };
  expect(await tried(await credential("mssql", data))).toEqual({
    ok: true,
    message: "127.0.0.1 accepted the user name and password, and ran a query.",
  });
  const wrong = await tried(await credential("mssql", { ...data, password: secret }));
  expect(wrong).toEqual({ ok: false, message: "Login failed for user 'shop'." });
  expect(await tried(await credential("mssql", { ...data, security: "tls" }))).toMatchObject({ ok: false });
  expect(await tried(await credential("mssql", { ...data, host: "10.1.2.3" }))).toMatchObject({ ok: false });
});

// Proves credentials.test
test("a SQLite file is opened, or says why not", async () => {
  const missing = await credential("sqlite", { file: "tried.db" });
  expect(await tried(missing)).toEqual({
    ok: false,
    message: expect.stringContaining("There is no database tried.db"),
  });
  const made = await tried(await credential("sqlite", { file: "tried.db", access: "create" }));
  expect(made).toEqual({ ok: true, message: "The database tried.db was opened, and ran a query." });
  expect(await tried(missing)).toMatchObject({ ok: true });
});

// Proves credentials.test-requests
test("a credential for requests is sent to the URL, and its status is shown", async () => {
  const requests: { url: string; authorization: string | undefined }[] = [];
  const server = createHttpServer((request, response) => {
    const { url = "", headers } = request;
    requests.push({ url, authorization: headers.authorization });
    const isRight = headers.authorization === `Bearer ${secret}` || headers["x-key"] === secret || url.includes(secret);
    response.writeHead(url.startsWith("/gone") ? 404 : isRight ? 200 : 401).end(secret);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${portOf(server)}/me`;
  const bearer = await credential("bearer", { token: secret });
  expect(await tried(bearer, { url })).toMatchObject({ ok: true, message: expect.stringContaining("200") });
  expect(await tried(await credential("header", { name: "x-key", value: secret }), { url })).toMatchObject({
    ok: true,
  });
  expect(await tried(await credential("query", { name: "key", value: secret }), { url })).toMatchObject({ ok: true });
  expect(await tried(await credential("basic", { username: "a", password: secret }), { url })).toMatchObject({
    ok: false,
    message: expect.stringContaining("refused"),
  });
  expect(await tried(bearer, { url: url.replace("/me", "/gone") })).toMatchObject({ ok: false });
  expect(await tried(bearer, { url: "http://10.1.2.3/" })).toMatchObject({ ok: false });
  const bound = await credential("bearer", { token: secret }, { allowedHosts: ["api.example.com"] });
  const before = requests.length;
  expect(await tried(bound, { url })).toMatchObject({ ok: false, message: expect.stringContaining("bound to") });
  expect(requests.length).toBe(before);

  const key = await newKey(tenant.workspaceId, { scopes: ["credentials:write"] });
  expect((await post(`/credentials/${bearer}/test`, { url }, { key })).error).toMatchObject({
    code: "FORBIDDEN",
    details: { required: "flows:execute" },
  });
  expect((await post(`/credentials/${bearer}/test`, {}, { key })).status).toBe(200);
  expect(requests.length).toBe(before);
  for (const wrong of ["ftp://a.example", "no", "", "http://", 7, "http://a\u0000", `http://a/${"x".repeat(3_000)}`]) {
    const answer = await post(`/credentials/${bearer}/test`, { url: wrong }, { key: tenant.key });
    expect([wrong, answer.status, answer.error?.details]).toEqual([wrong, 400, { url: expect.any(String) }]);
  }
});

// Proves credentials.test-recorded
test("the audit log tells who tested a credential, on which host, and what came of it", async () => {
  const server = createHttpServer((_, response) => void response.writeHead(204).end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${portOf(server)}`;
  const id = await credential("bearer", { token: secret });
  await tried(id, { url: `http://${host}/me?key=${secret}` });
  await tried(id, { url: "http://10.1.2.3/" });
  await tried(id);
  const log = await get<Record<string, unknown>[]>(`/audit-log?subject=${id}`, { key: tenant.key });
  expect(log.text).not.toContain(secret);
  const subject = { type: "credential", id, name: `tested${made}` };
  expect(log.data.slice(0, 3)).toMatchObject([
    { action: "credential.tested", subject, before: null, after: { ok: true } },
    { action: "credential.tested", subject, after: { ok: false, host: "10.1.2.3" } },
    { action: "credential.tested", subject, after: { ok: true, host }, actor: { kind: "key" } },
  ]);
});

test("every type is tried, or says that it is not", async () => {
  const others = {
    secret: { value: secret },
    hmac: { secret },
    custom: { a: secret },
    bearer: { token: secret },
    basic: { username: "a", password: secret },
    header: { name: "x-key", value: secret },
    query: { name: "key", value: secret },
    aws: { accessKeyId: "a", secretAccessKey: secret, region: "eu-central-1" },
  };
  for (const [type, data] of Object.entries(others)) {
    const result = await tried(await credential(type, data));
    expect([type, result.ok, result.message.startsWith("The secret can be decrypted.")]).toEqual([type, true, true]);
  }
  const known = [
    ...Object.keys(others),
    "oauth2",
    "smtp",
    "imap",
    "postgres",
    "mysql",
    "mssql",
    "sqlite",
    "openai",
    "anthropic",
    "google-ai",
  ].sort();
  expect([...credentialTypes].sort()).toEqual(known);
});

test("an oauth2 token is fetched and tried; an unconnected credential is reported", async () => {
  const provider = await startProvider();
  onTestFinished(() => provider.close());
  const own = await credential("oauth2", oauthData(provider, { grant: "client_credentials" }));
  expect(await tried(own)).toEqual({ ok: true, message: expect.stringContaining("There is an access token") });
  const me = await tried(own, { url: `${provider.url}/me` });
  expect([me.ok, me.message.includes(provider.accessTokens[0] ?? "")]).toEqual([true, false]);
  const other = await tried(await credential("oauth2", oauthData(provider)));
  expect(other).toEqual({ ok: false, message: expect.stringContaining("nobody has connected it yet") });
});

test("another workspace's credential is not found", async () => {
  const theirs = await newTenant("Other credentials");
  const id = await credential("bearer", { token: secret });
  expect((await post(`/credentials/${id}/test`, {}, { key: theirs.key })).status).toBe(404);
  expect((await get(`/credentials/${id}`, { key: theirs.key })).status).toBe(404);
});
