// The first connection to a database: it may not be up yet, or may not be usable.

import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { DatabaseError } from "#lib/errors.ts";

const waitMsMax = 60_000;
const connectMsMax = 5000;
const pauseMs = 500;
const postgresMajorMin = 15;

/** Connects, waiting for a database that is not up yet. */
export async function connect(
  url: string,
  { log = () => {}, msMax = waitMsMax }: { log?: (line: string) => void; msMax?: number } = {},
): Promise<pg.Client> {
  const end = performance.now() + msMax;
  for (let turn = 0; ; turn++) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMsMax });
    client.on("error", () => {}); // The running query rejects as well.
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      if (!mayBecomeAvailable(error)) throw new DatabaseError(`${placeOf(url)} refuses: ${messageOf(error)}`);
      if (performance.now() > end) throw new DatabaseError(`${placeOf(url)} cannot be reached: ${messageOf(error)}`);
      if (turn === 0) log(`Waiting for ${placeOf(url)} (${messageOf(error)})…`);
    }
    await sleep(pauseMs);
  }
}

/** Refuses a database that cannot hold what Millrace writes. */
export async function refuseUnsuitable(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding",
  );
  const { version = "0", encoding = "" } = rows[0] ?? {};
  const major = Math.floor(Number(version) / 10_000);
  if (major < postgresMajorMin) {
    throw new DatabaseError(`${placeOf(url)} is PostgreSQL ${major}, but ${postgresMajorMin} or later is needed`);
  }
  if (encoding !== "UTF8") throw new DatabaseError(`${placeOf(url)} has the encoding ${encoding}, but needs UTF8`);
}

/** Creates the database that the URL names if it does not exist. */
export async function makeDatabase(url: string): Promise<void> {
  const { pathname } = new URL(url);
  const maintenance = new URL(url);
  maintenance.pathname = "/postgres";
  const client = await connect(maintenance.href);
  try {
    const name = decodeURIComponent(pathname.slice(1));
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/** Whether waiting may help. The server's own errors do not go away by waiting, unless it is starting. */
function mayBecomeAvailable(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const fromServer = /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("E");
  return !fromServer || code.startsWith("57P") || code.startsWith("53");
}

function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `the database ${searchParams.get("host") ?? host}${pathname}`;
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(messageOf))].join(", ");
  return error instanceof Error ? error.message : String(error);
}
