// A data directory with an empty, migrated database, made once for all servers of a test run: making one is a third of
// what a server's first start takes.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { clusterOf } from "#lib/platform/embedded-postgres/cluster.ts";
import { openDatabase } from "../../scripts/server/database.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** Makes it, for this process and those that it starts; returns what removes it. */
export async function makeDatabaseOnce(): Promise<() => void> {
  const directory = temporaryDirectory();
  const stops: (() => Promise<void>)[] = [];
  try {
    await openDatabase({ databaseUrl: undefined }, directory, { onStop: (stop) => stops.push(stop), log: () => {} });
  } finally {
    for (const stop of stops) await stop();
  }
  // Tests kill processes, not the machine: what PostgreSQL has written, the system keeps.
  appendFileSync(join(clusterOf(directory), "postgresql.auto.conf"), "fsync = off\nfull_page_writes = off\n");
  process.env.TEST_DATA_DIRECTORY = directory;
  return () => {
    delete process.env.TEST_DATA_DIRECTORY;
    rmSync(directory, { recursive: true, force: true });
  };
}

/** A data directory for a server, with a copy of that database. A test of how a database is made starts from an empty one. */
export function dataDirectory(): string {
  const directory = temporaryDirectory();
  const made = process.env.TEST_DATA_DIRECTORY;
  // Where PostgreSQL's account cannot reach the directory, the database is elsewhere.
  if (!made || !existsSync(join(made, "postgres/cluster"))) return directory;
  const { status, stderr } = spawnSync("cp", ["-a", `${made}/.`, directory], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The database could not be copied: ${stderr}`);
  return directory;
}
