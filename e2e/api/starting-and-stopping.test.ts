import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dataDirectory } from "#e2e/support/made-database.ts";
import { databaseUrlOf } from "#e2e/support/second-workspace.ts";
import { databaseStopped, type RunningServer, startServer } from "#e2e/support/server.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";
import { connect } from "#lib/platform/database/connect.ts";
import { clusterOf } from "#lib/platform/embedded-postgres/cluster.ts";

/** The server's output, without Next's own. */
const linesOf = (server: RunningServer) =>
  server
    .logs()
    .trim()
    .split("\n")
    .filter((line) => !/^\s*[✓▲]/.test(line));

describe("a server with nothing but a data directory", () => {
  const dataDir = temporaryDirectory();
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ dataDir });
  });
  afterAll(() => server.stop());

  // Proves configuration.nothing-set, configuration.health
  test("says what it does, and its URL once that answers", async () => {
    expect(linesOf(server).slice(0, 2)).toEqual([
      "Starting the database…",
      expect.stringMatching(/^Applying \d+ migrations?…$/),
    ]);
    expect(server.logs()).not.toContain("next.config");
    expect(linesOf(server).at(-1)).toBe(`Millrace is ready at ${server.url}`);
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
  });

  // Proves configuration.secrets
  test("keeps its secrets in files that only their owner can read", () => {
    for (const name of ["auth-secret", "encryption-key", "postgres-password"]) {
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
  });

  test("reaches its database by a socket that only the database's account may use", async () => {
    expect(statSync(join(dirname(clusterOf(dataDir)), "socket")).mode & 0o777).toBe(0o700);
    const client = await connect(databaseUrlOf(dataDir));
    const { rows } = await client
      .query("SELECT DISTINCT client_addr FROM pg_stat_activity WHERE application_name = 'millrace'")
      .finally(() => client.end());
    expect(rows).toEqual([{ client_addr: null }]);
  });

  test("does not print its secrets", () => {
    for (const name of ["auth-secret", "encryption-key", "postgres-password"]) {
      expect(server.logs()).not.toContain(readFileSync(join(dataDir, name), "utf8").trim());
    }
  });
});

// Proves configuration.signals
test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s stops the server and its database, and counts as success",
  async (signal) => {
    const dataDir = dataDirectory();
    const server = await startServer({ dataDir });
    process.kill(server.pid, signal);
    expect(await server.stop()).toBe(0);
    expect(linesOf(server).at(-1)).toBe("Stopping…");
    expect(await databaseStopped(dataDir)).toBe(true);
    await expect(fetch(server.url)).rejects.toThrow();
  },
);

test("a signal to the whole process group, like Ctrl-C, stops the server like one to the server alone", async () => {
  const server = await startServer();
  process.kill(-server.pid, "SIGINT");
  process.kill(-server.pid, "SIGINT");
  expect(await server.stop()).toBe(0);
});

// Proves configuration.again
test("a second start creates nothing again, and finds what the first one stored", async () => {
  const dataDir = temporaryDirectory();
  const first = await startServer({ dataDir });
  expect(await first.stop()).toBe(0);
  const secretsOf = () =>
    readdirSync(dataDir)
      .filter((name) => /-(secret|key|password)$/.test(name))
      .map((name) => readFileSync(join(dataDir, name), "utf8"));
  const before = secretsOf();
  const second = await startServer({ dataDir });
  expect(linesOf(second)).toEqual(["Starting the database…", `Millrace is ready at ${second.url}`]);
  expect(secretsOf()).toEqual(before);
  expect(await second.stop()).toBe(0);
});
