import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { dataDirectory } from "#e2e/support/made-database.ts";
import { databaseStopped, type RunningServer, startServer } from "#e2e/support/server.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";
import { clusterOf } from "#lib/platform/embedded-postgres/cluster.ts";

const noteOf = (dataDir: string) => join(clusterOf(dataDir), "postmaster.pid");
const databasePid = (dataDir: string) => Number(readFileSync(noteOf(dataDir), "utf8").split("\n")[0]);
const isRunning = (pid: number) =>
  spawnSync("ps", ["-o", "stat=", "-p", `${pid}`], { encoding: "utf8" }).stdout.match(/^[^Z\s]/) !== null;
const expectHealthy = async (server: RunningServer) =>
  expect((await fetch(`${server.url}/api/health`)).status).toBe(200);

test("the database of a killed server stops soon after it", async () => {
  const dataDir = dataDirectory();
  const server = await startServer({ dataDir });
  const pid = databasePid(dataDir);
  await server.kill();
  expect(await databaseStopped(dataDir)).toBe(true);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test("a killed server restarts at once, however often it is killed", async () => {
  const dataDir = dataDirectory();
  for (let turn = 0; turn < 3; turn++) {
    const server = await startServer({ dataDir });
    await expectHealthy(server);
    await server.kill();
  }
  const server = await startServer({ dataDir });
  await expectHealthy(server);
  expect(server.logs()).not.toContain("migration");
  expect(await server.stop()).toBe(0);
});

test("a server and a database that were both killed start again", async () => {
  const dataDir = dataDirectory();
  const server = await startServer({ dataDir });
  process.kill(databasePid(dataDir), "SIGKILL");
  await server.kill();
  const again = await startServer({ dataDir });
  await expectHealthy(again);
  expect(await again.stop()).toBe(0);
});

test("a database note that names another program's process does not prevent the start", async () => {
  const dataDir = dataDirectory();
  const server = await startServer({ dataDir });
  const note = readFileSync(noteOf(dataDir), "utf8");
  await server.stop();
  const foreign = spawn("sleep", ["600"]);
  writeFileSync(noteOf(dataDir), note.replace(/^\d+/, `${foreign.pid}`));
  const again = await startServer({ dataDir });
  await expectHealthy(again);
  expect(await again.stop()).toBe(0);
  expect(foreign.exitCode ?? foreign.signalCode).toBeNull();
  foreign.kill();
});

test("a database that was being created when its server was killed is created again", async () => {
  const dataDir = temporaryDirectory();
  const unfinished = join(dirname(clusterOf(dataDir)), "cluster.unfinished");
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, "PG_VERSION"), "18\n");
  const server = await startServer({ dataDir });
  await expectHealthy(server);
  expect(existsSync(unfinished)).toBe(false);
  expect(await server.stop()).toBe(0);
});

test("a database that exits on its own is restarted at the same address", async () => {
  const dataDir = dataDirectory();
  const server = await startServer({ dataDir });
  const before = databasePid(dataDir);
  const port = readFileSync(noteOf(dataDir), "utf8").split("\n")[3];
  process.kill(before, "SIGQUIT");
  await expect.poll(() => existsSync(noteOf(dataDir)) && databasePid(dataDir) !== before).toBe(true);
  expect(readFileSync(noteOf(dataDir), "utf8").split("\n")[3]).toBe(port);
  await expect.poll(async () => (await fetch(`${server.url}/api/health`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});

test("a database of another PostgreSQL version is refused in one line", async () => {
  const dataDir = dataDirectory();
  const server = await startServer({ dataDir });
  await server.stop();
  writeFileSync(join(clusterOf(dataDir), "PG_VERSION"), "17\n");
  await expect(startServer({ dataDir })).rejects.toThrow("is a database of PostgreSQL 17, but this is PostgreSQL 18");
});
