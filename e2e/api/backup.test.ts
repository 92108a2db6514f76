// `npm run backup` and `npm run restore`, as an operator uses them: of a server that runs, into another place, and from the
// embedded database to another PostgreSQL and back.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fingerprintOf } from "#lib/backup/testing/every-table.ts";
import { connect } from "#lib/platform/database/connect.ts";
import { removeFilesOf } from "#lib/platform/embedded-postgres/cluster.ts";
import { startEmbeddedPostgres } from "#lib/platform/embedded-postgres/start.ts";
import { projectDirectory } from "../../scripts/places.mjs";
import { cuttingProxy } from "../support/cutting-proxy.ts";
import { Browser } from "../support/people.ts";
import { api, credential, flow, run } from "../support/secret-calls.ts";
import { databaseStopped, freePort, type RunningServer, runToEnd, startServer } from "../support/server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

const passphrase = "a passphrase of the test";
const startMsMax = 240_000;
const directory = temporaryDirectory();
const [first, second, third] = ["first", "second", "third"].map((name) => join(directory, name)) as [
  string,
  string,
  string,
];
/** Of the server with another PostgreSQL. */
const beside = join(directory, "beside");
const file = join(directory, "millrace.backup");

let origin: RunningServer;
let external: TestDatabase;
let nodes: { id: string; type: string; config: object }[];
/** Read a workspace's own database, which only a place with its file has. */
let database: typeof nodes;

beforeAll(async () => {
  external = await createTestDatabase({ empty: true });
  origin = await startServer({ dataDir: first });
  const own = { base: origin.url, key: origin.apiKey };
  const { name } = await credential("secret", { value: "opens elsewhere" }, {}, own);
  const { name: shop } = await credential("sqlite", { file: "shop.db", access: "create" }, {}, own);
  const sql = (query: string) => ({ id: "sql", type: "sql", config: { credential: shop, query } });
  for (const query of ["CREATE TABLE t (a TEXT)", "INSERT INTO t VALUES ('of SQLite')"]) {
    expect((await run([sql(query)], {}, own)).execution.status).toBe("completed");
  }
  database = [sql("SELECT a FROM t")];
  nodes = [{ id: "t", type: "transform", config: { transform: `$credentials.${name}.length` } }];
  expect((await run(nodes, {}, own)).execution.output).toBe("opens elsewhere".length);
}, startMsMax);

afterAll(async () => {
  await origin?.stop();
  for (const place of [first, second, third]) {
    if (existsSync(place)) removeFilesOf(place);
  }
  rmSync(directory, { recursive: true, force: true });
}, startMsMax);

type Env = Record<string, string>;
type Ended = { code: number; out: string; err: string };

/** Runs a script as `npm run` does. */
function script(name: "backup" | "restore", env: Env, ...args: string[]): Promise<Ended> {
  const { PATH, HOME, TMPDIR } = process.env;
  const own = { PATH, HOME, TMPDIR, NODE_ENV: "production" as const, BACKUP_PASSPHRASE: passphrase, ...env };
  const command = ["scripts/start.mjs", "--run", `scripts/${name}.ts`, ...args];
  return new Promise((resolve) => {
    const options = { cwd: projectDirectory, env: own };
    execFile(process.execPath, command, options, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

/** Everything works in the place: people, keys, runs, what is sealed, and databases of workspaces. */
async function works(server: RunningServer): Promise<void> {
  const own = { base: server.url, key: origin.apiKey };
  expect(await new Browser(server.url).signIn(origin.email, origin.password)).toBeNull();
  expect((await run(nodes, {}, own)).execution.output).toBe("opens elsewhere".length);
  expect((await run(database, {}, own)).execution.nodes[0].output.rows).toEqual([{ a: "of SQLite" }]);
  const { body } = await api("GET", "/executions?limit=100", own);
  expect(body.data.length).toBeGreaterThan(1);
}

test("a server is backed up while it does runs, and no file is overwritten", { timeout: startMsMax }, async () => {
  const own = { base: origin.url, key: origin.apiKey };
  const { id } = await flow(nodes, {}, own);
  let isDone = false;
  const calling = (async () => {
    while (!isDone) {
      const { status } = await api("POST", `/flows/${id}/execute`, { ...own, body: { data: {}, async: true } });
      expect(status).toBe(202);
    }
  })();
  const made = await script("backup", { DATA_DIR: first }, file);
  isDone = true;
  await calling;
  expect(made).toEqual({
    code: 0,
    out: expect.stringMatching(/^Backed up \d+ rows of \d+ tables into .*millrace\.backup \(\d+ bytes\)\n$/),
    err: "",
  });
  const again = await script("backup", { DATA_DIR: first }, file);
  expect(again).toMatchObject({ code: 1, err: `${file} already exists: name another file\n` });
  const checked = await script("restore", {}, file, "--check");
  expect(checked.out).toMatch(/It is complete: \d+ rows of \d+ tables, of version \S+, made at 20/);
});

test("what cannot be restored is refused before anything is made", async () => {
  const wrong = await script("restore", { DATA_DIR: second, BACKUP_PASSPHRASE: "not this passphrase" }, file);
  expect(wrong).toMatchObject({ code: 1, err: `${file} was encrypted with another passphrase\n` });
  const none = await script("restore", { DATA_DIR: second, BACKUP_PASSPHRASE: "" }, file);
  expect(none).toMatchObject({ code: 1, err: "BACKUP_PASSPHRASE must be set if there is no terminal to ask for it\n" });
  const otherKey = await script("restore", { DATA_DIR: second, ENCRYPTION_KEY: "o".repeat(32) }, file);
  expect(otherKey).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^ENCRYPTION_KEY is not the one of this backup/),
  });
  const cut = join(directory, "cut.backup");
  writeFileSync(cut, readFileSync(file).subarray(0, -1000));
  const damaged = await script("restore", { DATA_DIR: second }, cut);
  expect(damaged).toMatchObject({ code: 1, err: expect.stringMatching(/is damaged or truncated/) });
  const unused = await script("backup", { DATA_DIR: second }, join(directory, "none.backup"));
  expect(unused).toMatchObject({ code: 1, err: `There is no database in DATA_DIR ${second}\n` });
  const unclear = await script("restore", { DATA_DIR: second }, file, "--relpace");
  expect(unclear).toMatchObject({ code: 1, err: expect.stringMatching(/^npm run restore -- FILE/) });
  expect(existsSync(second)).toBe(false);
  expect(readdirSync(directory).filter((name) => name.includes("unfinished"))).toEqual([]);
});

test("a second installation continues where the first one was, and is not overwritten by mistake", {
  timeout: startMsMax,
}, async () => {
  const restored = await script("restore", { DATA_DIR: second }, file);
  expect(restored).toMatchObject({ code: 0, out: expect.stringMatching(/Restoring into DATA_DIR .*\nRestored\n$/) });
  let server = await startServer({ dataDir: second });
  await works(server);
  const busy = await script("restore", { DATA_DIR: second }, file, "--replace");
  expect(busy).toMatchObject({ code: 1, err: expect.stringMatching(/is in use by another running Millrace/) });
  await server.stop();

  const filled = await script("restore", { DATA_DIR: second }, file);
  expect(filled.err).toMatch(/holds 1 workspace, \d+ flows and \d+ runs: restore into an empty one, or add --replace/);
  // Cut short between its keys and its database.
  writeFileSync(join(second, "restore-unfinished"), "");
  const refused = await runToEnd({ DATA_DIR: second, PORT: `${await freePort()}` });
  expect(refused).toEqual({ code: 1, logs: expect.stringMatching(/A restore into DATA_DIR .* was cut short/) });
  const replaced = await script("restore", { DATA_DIR: second }, file, "--replace");
  expect(replaced.out).toMatch(/Deleting 1 workspace, \d+ flows and \d+ runs of DATA_DIR .*\nRestored\n$/s);
  server = await startServer({ dataDir: second });
  await works(server);
  await server.stop();
});

test("a restore that is killed half-way leaves nothing, and the next one does it", {
  timeout: startMsMax,
}, async () => {
  const keys = await externalKeys();
  const proxy = await cuttingProxy(external.url);
  const reached = proxy.hold({ contains: ['COPY "execution"'], side: "before" });
  const { PATH, HOME, TMPDIR } = process.env;
  const doomed = spawn(process.execPath, ["scripts/start.mjs", "--run", "scripts/restore.ts", file], {
    cwd: projectDirectory,
    stdio: "ignore",
    env: {
      PATH,
      HOME,
      TMPDIR,
      NODE_ENV: "production",
      BACKUP_PASSPHRASE: passphrase,
      ...keys,
      DATABASE_URL: proxy.url,
      DATA_DIR: beside,
    },
  });
  await reached;
  doomed.kill("SIGKILL");
  await once(doomed, "exit");
  await proxy.close();
  const client = await connect(external.url);
  const tables = () => client.query("SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'public'");
  await expect.poll(async () => (await tables()).rows).toEqual([{ count: 0 }]);
  await client.end();
});

async function externalKeys(): Promise<Env> {
  const { out } = await script("restore", {}, file, "--show-secrets");
  return Object.fromEntries(
    out
      .trim()
      .split("\n")
      .map((line) => line.split("=") as [string, string]),
  );
}

test("the embedded database moves to another PostgreSQL, and back", { timeout: startMsMax }, async () => {
  const keys = await externalKeys();
  const env = { ...keys, DATABASE_URL: external.url, DATA_DIR: beside };
  const wrong = await script("restore", { ...env, ENCRYPTION_KEY: "o".repeat(32) }, file);
  expect(wrong).toMatchObject({ code: 1, err: expect.stringMatching(/^ENCRYPTION_KEY is not the one of this backup/) });
  expect(await script("restore", env, file)).toMatchObject({ code: 0, out: expect.stringMatching(/Restored\n$/) });
  const server = await startServer({ env, dataDir: beside });
  await works(server);
  await server.stop();

  const back = join(directory, "back.backup");
  expect(await script("backup", env, back)).toMatchObject({ code: 0 });
  expect(await script("restore", { DATA_DIR: third }, back)).toMatchObject({ code: 0 });
  expect(readFileSync(join(third, "encryption-key"), "utf8").trim()).toBe(keys.ENCRYPTION_KEY);
  expect(await databaseStopped(third)).toBe(true);
  const embedded = await startEmbeddedPostgres(third);
  const [here, there] = [await connect(external.url), await connect(embedded.url)];
  expect(await fingerprintOf(there)).toEqual(await fingerprintOf(here));
  await here.end();
  await there.end();
  await embedded.stop();
});
