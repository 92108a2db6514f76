// The embedded database: our own PostgreSQL for a machine that has none.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "#lib/errors.ts";
import { secretFile } from "../secret-files.ts";
import { databaseAccount } from "./account.ts";
import { clusterOf, makeCluster, placeOf, reachableDirectory, socketDirectoryOf, superuser } from "./cluster.ts";
import { addressOf, type PostgresAddress, stopLeftOver } from "./postmaster.ts";
import { programsDirectory } from "./programs.ts";
import { type Cluster, type ServerProcess, startServer } from "./server.ts";

const restartPauseMs = 1000;

const settings = [
  "listen_addresses=127.0.0.1",
  "max_connections=200",
  "shared_buffers=256MB",
  "synchronous_commit=on",
  // There is no replication, and this makes the write-ahead log smaller.
  "wal_level=minimal",
  "max_wal_senders=0",
  "checkpoint_timeout=15min",
  // Our queries are short: JIT and parallel workers would cost more than they save.
  "jit=off",
  "max_parallel_workers_per_gather=0",
  "timezone=UTC",
  "log_timezone=UTC",
];

export type EmbeddedPostgres = { url: string; stop(): Promise<void> };

/**
 * Starts the database in the data directory, which the caller has locked: no other server may use it. If PostgreSQL
 * exits by itself, it is restarted at the same address.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  { log = () => {}, extraSettings = [] }: { log?: (line: string) => void; extraSettings?: readonly string[] } = {},
): Promise<EmbeddedPostgres> {
  const account = databaseAccount();
  const asRoot = account.uid !== undefined;
  // Another account must be able to enter; secret files in it have their own mode.
  mkdirSync(dataDir, { recursive: true, mode: asRoot ? 0o711 : 0o700 });
  const place = placeOf(dataDir, account, log);
  const passwordFile = passwordFileOf(dataDir);
  const programs = programsDirectory(account, reachableDirectory, log);
  const directory = makeCluster(place, programs, account, passwordFile);
  await stopLeftOver(directory, log);
  const cluster: Cluster = { directory, programs, account, logFile: join(place, "postgres.log") };
  const sockets = `unix_socket_directories=${await socketDirectoryOf(place, account)}`;
  const stop = await keepRunning(cluster, [...settings, sockets, ...extraSettings], log);
  const address = addressOf(directory);
  if (address === undefined) throw new DatabaseError("The database stopped as soon as it had started");
  return { url: urlOf(passwordFile, address), stop };
}

/** The URL of the database of a server that runs on this data directory; undefined if none does. */
export function runningEmbeddedPostgres(dataDir: string): string | undefined {
  const address = addressOf(clusterOf(dataDir));
  return address && urlOf(passwordFileOf(dataDir), address);
}

const passwordFileOf = (dataDir: string) => join(dataDir, "postgres-password");

/** A socket costs a third less CPU time per statement than TCP, on both sides. */
function urlOf(passwordFile: string, { port, socketDirectory }: PostgresAddress): string {
  const url = `postgresql://${superuser}:${secretFile(passwordFile)}@127.0.0.1:${port}/millrace`;
  return socketDirectory === undefined ? url : `${url}?host=${encodeURIComponent(socketDirectory)}`;
}

/** Resolves when the database accepts connections. Returns how to stop it. */
async function keepRunning(cluster: Cluster, all: readonly string[], log: (line: string) => void) {
  let server: ServerProcess = await startServer(cluster, all);
  const { port } = server;
  let stopping = false;
  const watch = () => server.child.once("exit", () => void restart());
  const restart = async (): Promise<void> => {
    while (!stopping) {
      log("The database stopped unexpectedly: restarting it…");
      await sleep(restartPauseMs);
      if (stopping) return;
      try {
        server = await startServer(cluster, all, port);
        watch();
        return;
      } catch (error) {
        log(error instanceof Error ? error.message : String(error));
      }
    }
  };
  watch();
  return async () => {
    stopping = true;
    await server.stop();
  };
}
