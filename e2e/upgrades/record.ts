// Records what a released version stores, for the test that opens it in later ones:
// `node e2e/upgrades/record.ts <checkout of the release, built> <version>`. Done once, when the version is released.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type pg from "pg";
import { CopyOut } from "#lib/backup/copy.ts";
import { migrationsOf, sequencesOf, tablesOf, writtenBy } from "#lib/backup/tables.ts";
import { connect } from "#lib/platform/database/connect.ts";
import { readMigrations } from "#lib/platform/migrate.ts";
import { eventually } from "../support/eventually.ts";
import { Browser } from "../support/people.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { createTestDatabase, startTestPostgres } from "../support/test-database.ts";
import type { StoredVersion } from "./stored-version.ts";

const [checkout = "", version = ""] = process.argv.slice(2);
const secrets = {
  AUTH_SECRET: "recorded-auth-secret-of-a-release",
  ENCRYPTION_KEY: "recorded-encryption-key-of-a-release",
};
const migrationsDirectory = join(resolve(checkout), "prisma/migrations");

const postgres = await startTestPostgres();
const database = await createTestDatabase({ server: postgres.url, empty: true });
const server = await startServer({
  project: resolve(checkout),
  env: { DATABASE_URL: database.url, RATE_LIMIT: "on", ...secrets },
});
const client = await connect(database.url);
try {
  const known = await use(server);
  await fillRemainingTables(client);
  await server.stop();
  const stored = { version, secrets, ...known, ...(await read(client)) } satisfies StoredVersion;
  const file = join(import.meta.dirname, `testdata/${version}.json`);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, `${JSON.stringify(stored, null, 1)}\n`);
  const empty = stored.tables.filter(({ rows }) => rows.length === 0).map(({ name }) => name);
  console.log(`${file}: ${stored.tables.length} tables${empty.length > 0 ? `; empty: ${empty.join(", ")}` : ""}`);
} finally {
  await client.end();
  await server.kill();
  await postgres.stop();
  rmSync(server.dataDir, { recursive: true, force: true });
}

/** Does what people do with it, so that most tables get rows. */
async function use({ url, apiKey, email, password }: RunningServer) {
  const call = async (method: string, path: string, body?: object, overrides: HeadersInit = {}) => {
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...overrides };
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text).data;
  };
  const transform = (id: string, code: string) => ({ id, type: "transform", config: { transform: code } });
  const flow = async (nodes: object[], overrides: object = {}): Promise<string> =>
    (await call("POST", "/flows", { name: "Test", trigger: { type: "webhook" }, nodes, edges: [], ...overrides })).id;
  const start = async (id: string): Promise<string> => (await call("POST", `/flows/${id}/execute`, {})).executionId;
  const until = (id: string, status: string) =>
    eventually(`${id} is ${status}`, async () =>
      (await call("GET", `/executions/${id}`)).status === status ? true : undefined,
    );
  await call("POST", "/credentials", { name: "token", type: "secret", data: { value: "sealed then" } });
  const events = ["execution.completed", "execution.failed"];
  await call("POST", "/webhooks", { url: "http://127.0.0.1:8009/hook", events });
  const sealed = await flow([transform("open", "$credentials.token.length")]);
  await call("PATCH", `/flows/${sealed}`, { description: "Changed once" });
  const failing = await flow([transform("fails", "$trigger.body.none.of.it")]);
  const done = { id: "done", type: "wait", config: { timeoutMs: 30_000_000_000 } };
  const waiting = await flow([transform("url", "$resume['done']"), done], {
    edges: [{ source: "url", target: "done" }],
  });
  const trigger = { type: "schedule", config: { cron: "0 0 1 1 *", timezone: "Asia/Tokyo" } };
  await flow([transform("t", "1")], { status: "active", trigger });
  const data = { text: "é 😀 \u0000" };
  await call("POST", `/flows/${sealed}/execute`, { async: false, data }, { "idempotency-key": "recorded" });
  await until(await start(failing), "failed");
  const runId = await start(waiting);
  await until(runId, "running");
  await call("POST", "/alert-rules", { name: "Watch", kind: "failures_in_row", threshold: 1, flowId: failing });
  await until(await start(failing), "failed");
  const browser = new Browser(url);
  await browser.signIn(email, "not the password");
  await browser.signIn(email, password);
  for (const [path, body] of [
    ["/invitations", { email: "bob@example.com", role: "editor" }],
    ["/account/saved-filters", { name: "Failed", filter: { status: "failed" } }],
  ] as const) {
    const headers = { "content-type": "application/json", origin: url };
    const answer = await browser.fetch(`/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }
  const hasAlert = async () => ((await call("GET", "/alerts")).length > 0 ? true : undefined);
  await eventually("the rule tells of it", hasAlert, 60_000);
  return { apiKey, email, password, sealed, waiting, runId };
}

/** What only a provider, a mail or an app on a phone would bring about. */
async function fillRemainingTables(to: pg.Client): Promise<void> {
  const { rows } = await to.query(`SELECT id FROM "user" LIMIT 1`);
  const user = rows[0].id;
  await to.query("INSERT INTO identity (provider, account_id, user_id) VALUES ('github', '1', $1)", [user]);
  await to.query("INSERT INTO recovery_code (user_id, hash) VALUES ($1, 'hash')", [user]);
  const token =
    "INSERT INTO password_reset (token_hash, user_id, expires_at) VALUES ('hash', $1, now() + interval '1 hour')";
  await to.query(token, [user]);
  await to.query("INSERT INTO two_factor (user_id, secret, key_version) VALUES ($1, '\\x00', 1)", [user]);
}

async function read(from: pg.Client) {
  const migrations = readMigrations(migrationsDirectory);
  const { own } = await tablesOf(from, writtenBy(migrations).tables);
  const tables = [];
  for (const { name, columns } of own) {
    const list = columns.map((column) => from.escapeIdentifier(column)).join(", ");
    const parts: Buffer[] = [];
    for await (const part of from.query(new CopyOut(`COPY ${from.escapeIdentifier(name)} (${list}) TO STDOUT`)))
      parts.push(part);
    tables.push({ name, columns, rows: Buffer.concat(parts).toString().split("\n").slice(0, -1) });
  }
  return { migrations: await migrationsOf(from, migrations), tables, sequences: await sequencesOf(from, own) };
}
