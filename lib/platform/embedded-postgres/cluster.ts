// Where the database's files are, and how they are created.

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { DatabaseError } from "#lib/errors.ts";
import { secretFile } from "../secret-files.ts";
import { type Account, canReach } from "./account.ts";
import { makeReachable, postgresMajor, program } from "./programs.ts";

export const superuser = "millrace";

/** Where PostgreSQL's files go if its account cannot reach the data directory. */
export const reachableDirectory = "/var/lib/millrace";

/** A file in the data directory that names the directory of the database's files, if it is elsewhere. */
const pointerName = "postgres-directory";

/** The directory of the database's files and its log: below the data directory if its account can reach it. */
export function placeOf(dataDir: string, account: Account, log: (line: string) => void): string {
  const pointer = join(dataDir, pointerName);
  if (existsSync(pointer)) return readFileSync(pointer, "utf8").trim();
  const place = join(resolve(dataDir), "postgres");
  if (existsSync(place) || canReach(account, dataDir)) return ownedDirectory(place, account);
  makeReachable(reachableDirectory);
  const elsewhere = join(reachableDirectory, randomBytes(6).toString("hex"));
  log(`The database's account cannot reach ${dataDir}: its files are stored in ${elsewhere}.`);
  ownedDirectory(elsewhere, account);
  writeFileSync(pointer, `${elsewhere}\n`);
  return elsewhere;
}

/** The cluster of a data directory. */
export function clusterOf(dataDir: string): string {
  const pointer = join(dataDir, pointerName);
  const place = existsSync(pointer) ? readFileSync(pointer, "utf8").trim() : join(resolve(dataDir), "postgres");
  return join(place, "cluster");
}

/** Removes the files of a data directory's database, wherever they are. Its server must be stopped. */
export function removeFilesOf(dataDir: string): void {
  rmSync(dirname(clusterOf(dataDir)), { recursive: true, force: true });
  rmSync(join(dataDir, pointerName), { force: true });
}

/** Systems store a socket's path in as little as 104 bytes, the last of them zero. */
const socketPathBytesMax = 103;

/**
 * An empty directory for the server's socket, as a setting of PostgreSQL: empty if sockets are not possible there,
 * because the path is too long or the file system has none.
 */
export async function socketDirectoryOf(place: string, account: Account): Promise<string> {
  const directory = join(place, "socket");
  if (process.platform === "win32" || Buffer.byteLength(join(directory, ".s.PGSQL.65535")) > socketPathBytesMax)
    return "";
  // A killed server leaves its socket.
  rmSync(directory, { recursive: true, force: true });
  ownedDirectory(directory, account);
  return (await canListenAt(join(directory, "try"))) ? `"${directory.replaceAll('"', '""')}"` : "";
}

function canListenAt(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(path, () => server.close(() => resolve(true)));
  });
}

/** Creates the cluster if it does not exist, first under another name, so that an interrupted one is never used. */
export function makeCluster(place: string, programs: string, account: Account, passwordFile: string): string {
  const cluster = join(place, "cluster");
  if (existsSync(cluster)) {
    refuseOtherMajor(cluster);
    return cluster;
  }
  const unfinished = join(place, "cluster.unfinished");
  rmSync(unfinished, { recursive: true, force: true });
  const password = join(place, "initdb-password");
  writeFileSync(password, secretFile(passwordFile), { mode: 0o600 });
  own(password, account);
  try {
    runInitdb(program(programs, "initdb"), unfinished, password, account, place);
  } finally {
    rmSync(password, { force: true });
  }
  renameSync(unfinished, cluster);
  return cluster;
}

function runInitdb(initdb: string, cluster: string, passwordFile: string, account: Account, cwd: string): void {
  const options = [
    `--pgdata=${cluster}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // Sorts by code point like "C", the same on every machine, but knows the case of all letters.
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
  ];
  const result = spawnSync(initdb, options, { ...account, cwd, encoding: "utf8" });
  if (result.status === 0) return;
  throw new DatabaseError(`The database could not be created: ${result.error?.message ?? result.stderr.trim()}`);
}

function refuseOtherMajor(cluster: string): void {
  const major = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  if (major === `${postgresMajor}`) return;
  throw new DatabaseError(
    `${cluster} is a database of PostgreSQL ${major}, but this is PostgreSQL ${postgresMajor}: move its data over with pg_dump, or set DATABASE_URL`,
  );
}

function ownedDirectory(directory: string, account: Account): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  own(directory, account);
  return directory;
}

function own(path: string, { uid, gid }: Account): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}
