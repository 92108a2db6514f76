// A database that hangs, or a network that swallows packets, breaks no connection: statements would wait until TCP gives up,
// which takes a quarter of an hour, and all requests with them.
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { logLine } from "../log.ts";

/** When the connections are looked at, after how many looks without a byte the database is asked, and how long that may take. */
const patience = { lookEveryMs: 1_000, silentLooks: 5, askMsMax: 5_000 };

/**
 * Gives up all connections of this pool once the database is silent: some statement waits, none gets a byte, and a new
 * connection gets no answer either. A long statement alone is no silence. What waits fails with ETIMEDOUT, an outage.
 */
export function breakSilence(pool: pg.Pool, url: string, { lookEveryMs, silentLooks, askMsMax } = patience): void {
  const clients = new Set<pg.PoolClient>();
  pool.on("connect", (client) => clients.add(client)).on("remove", (client) => clients.delete(client));
  const bytesRead = () => [...clients].reduce((sum, client) => sum + (streamOf(client)?.bytesRead ?? 0), 0);
  let before = 0;
  let looks = 0;
  let isAsking = false;
  const look = async () => {
    const now = bytesRead();
    looks = now === before && [...clients].some(waits) ? looks + 1 : 0;
    before = now;
    if (looks < silentLooks || isAsking) return;
    isAsking = true;
    const isThere = await answers(url, askMsMax);
    // A process that was stopped or blocked meanwhile may have answers that it has not read yet.
    if (!isThere) await sleep(lookEveryMs, undefined, { ref: false });
    isAsking = false;
    looks = 0;
    if (isThere || bytesRead() !== now) return;
    logLine("warning", "The database does not answer: its connections are given up", { connections: clients.size });
    for (const client of clients) cut(client);
  };
  setInterval(() => void look(), lookEveryMs).unref();
}

function waits(client: pg.PoolClient): boolean {
  return Reflect.get(client, "readyForQuery") === false;
}

/** Whether the database answers at all, be it with a refusal. */
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
