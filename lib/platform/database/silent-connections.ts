// Detects a database that hangs, or a network that drops packets. Neither breaks a connection: statements, and all
// requests with them, would wait until TCP gives up after a quarter of an hour.
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { logLine } from "../log.ts";

/**
 * How often to check the connections, after how many checks without a byte to probe the database, and how long the
 * probe may take.
 */
const defaults = { checkEveryMs: 1_000, silentChecksMax: 5, probeMsMax: 5_000 };

/**
 * Destroys all connections of this pool once the database is silent: statements wait, none receives a byte, and a new
 * connection gets no answer either. A long statement alone is not silence. Waiting statements fail with ETIMEDOUT, an
 * outage.
 */
export function closeSilentConnections(
  pool: pg.Pool,
  url: string,
  { checkEveryMs, silentChecksMax, probeMsMax } = defaults,
): void {
  const clients = new Set<pg.PoolClient>();
  pool.on("connect", (client) => clients.add(client)).on("remove", (client) => clients.delete(client));
  const bytesRead = () => [...clients].reduce((sum, client) => sum + (streamOf(client)?.bytesRead ?? 0), 0);
  let before = 0;
  let silentChecks = 0;
  let isProbing = false;
  const check = async () => {
    const now = bytesRead();
    silentChecks = now === before && [...clients].some(waits) ? silentChecks + 1 : 0;
    before = now;
    if (silentChecks < silentChecksMax || isProbing) return;
    isProbing = true;
    const isAnswering = await answers(url, probeMsMax);
    // If this process was stopped or blocked meanwhile, it may have unread answers.
    if (!isAnswering) await sleep(checkEveryMs, undefined, { ref: false });
    isProbing = false;
    silentChecks = 0;
    if (isAnswering || bytesRead() !== now) return;
    logLine("warning", "The database does not answer: its connections were closed", { connections: clients.size });
    for (const client of clients) cut(client);
  };
  setInterval(() => void check(), checkEveryMs).unref();
}

function waits(client: pg.PoolClient): boolean {
  return Reflect.get(client, "readyForQuery") === false;
}

/** Whether the database answers at all, even with a refusal. */
async function answers(url: string, msMax: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: msMax, query_timeout: msMax });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    cut(client);
  }
}

function cut(client: pg.ClientBase): void {
  streamOf(client)?.destroy(Object.assign(new Error("The database did not answer in time"), { code: "ETIMEDOUT" }));
}

function streamOf(client: pg.ClientBase): Socket | undefined {
  const connection: unknown = Reflect.get(client, "connection");
  const stream: unknown = typeof connection === "object" && connection !== null && Reflect.get(connection, "stream");
  return stream instanceof Socket ? stream : undefined;
}
