// Whether the service stays as fast as it starts: BENCH_MINUTES (30) at 80 % of the highest rate measured first, while
// runs expire as fast as they come. Reports rate, p99, sizes and dead rows per slice, and their drift after the first
// third.
import { fork } from "node:child_process";
import type { Client } from "pg";
import { connect } from "#lib/platform/database/connect.ts";
import { newDatabase } from "../data/new-database.ts";
import { onPostgres } from "../data/on-postgres.ts";
import { load, seconds } from "../load.ts";
import { makeFlow, startMillrace } from "../millrace.ts";
import { startTarget } from "../peers/target-server.ts";

const minutes = () => Number(process.env.BENCH_MINUTES ?? 30);
const slices = 30;
const share = 0.8;
const clients = 20;
const secret = "benchmark-secret-benchmark-secret";
const body = { id: "order-1", customer: "Ada", total: 120, items: [{ sku: "a-1", quantity: 2, price: 60 }] };

/** Tables that runs fill. */
const watched = ["execution", "node_execution", "log_entry", "run_count", "duration_count", "error_count"];

interface Slice {
  readonly rate: number;
  readonly p99Ms: number;
  readonly failures: number;
  readonly deleted: number;
  readonly runs: number;
  readonly sizeMb: number;
  readonly deadRows: number;
  readonly of: Readonly<Record<string, string>>;
}

export async function enduranceBenchmark(): Promise<void> {
  const target = await startTarget();
  await onPostgres(async (postgresUrl) => {
    const databaseUrl = await newDatabase(postgresUrl, "bench_endurance");
    const server = await startMillrace(databaseUrl, { OUTBOUND_ALLOW: "127.0.0.1" });
    const database = await connect(databaseUrl);
    const keptMs = (minutes() * 60_000) / 6;
    const retention = fork(new URL("./retention.ts", import.meta.url), {
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        AUTH_SECRET: secret,
        ENCRYPTION_KEY: secret,
        BENCH_KEPT_MS: `${keptMs}`,
      },
    });
    let deleted = 0;
    retention.on("message", (count) => {
      deleted += Number(count);
    });
    try {
      const call = { method: "POST", url: target.url, body: { total: "{{ $trigger.body.total }}" } };
      // Two fifths of a run's writes are those of its node: runs with rows of their own, and not only a journal.
      const { url } = await makeFlow(server, [{ id: "call", type: "http-request", config: call }], []);
      await load({ url, body, clients, seconds: 5 });
      const { callsPerSecond: most } = await load({ url, body, clients, seconds: seconds() });
      const rate = Math.round(most * share);
      console.log(
        `at most ${most} calls a second; ${rate} for ${minutes()} minutes, kept for ${keptMs / 60_000} minutes`,
      );
      const measured: Slice[] = [];
      for (let slice = 0; slice < slices; slice += 1) {
        const before = deleted;
        const figures = await load({ url, body, clients, rate, seconds: Math.round((minutes() * 60) / slices) });
        measured.push({
          rate: figures.callsPerSecond,
          p99Ms: figures.p99Ms,
          failures: figures.failures,
          deleted: deleted - before,
          ...(await stored(database)),
        });
        console.log(JSON.stringify(measured.at(-1)));
      }
      print(measured);
    } finally {
      retention.kill();
      await database.end();
      await server.stop();
    }
  });
  target.stop();
}

const readStored = `
  SELECT relname AS name, pg_total_relation_size(relid)::float8 AS bytes, n_dead_tup::float8 AS dead
  FROM pg_stat_user_tables WHERE relname = ANY($1)`;

async function stored(database: Client): Promise<Pick<Slice, "runs" | "sizeMb" | "deadRows" | "of">> {
  const { rows } = await database.query<{ name: string; bytes: number; dead: number }>(readStored, [watched]);
  const runs = await database.query<{ runs: number }>("SELECT count(*)::int AS runs FROM execution");
  const mb = (bytes: number) => Math.round(bytes / 2 ** 20);
  return {
    runs: runs.rows[0]?.runs ?? 0,
    sizeMb: mb(rows.reduce((sum, { bytes }) => sum + bytes, 0)),
    deadRows: rows.reduce((sum, { dead }) => sum + dead, 0),
    of: Object.fromEntries(rows.map(({ name, bytes, dead }) => [name, `${mb(bytes)} MB, ${dead} dead`])),
  };
}

/** The mean of the last third over that of the middle third: the first third fills the tables. */
function print(measured: readonly Slice[]): void {
  const third = Math.floor(measured.length / 3);
  const mean = (of: readonly Slice[], key: "rate" | "p99Ms" | "sizeMb" | "deadRows") =>
    of.reduce((sum, slice) => sum + slice[key], 0) / of.length;
  const row = (key: "rate" | "p99Ms" | "sizeMb" | "deadRows") => {
    const [middle, last] = [mean(measured.slice(third, 2 * third), key), mean(measured.slice(2 * third), key)];
    return { middle: Math.round(middle), last: Math.round(last), drift: `${Math.round((last / middle - 1) * 100)} %` };
  };
  console.log("\nmeans of the middle and the last third; dead rows as PostgreSQL estimates them");
  console.table({
    "calls a second": row("rate"),
    "p99 ms": row("p99Ms"),
    "MB of tables and indexes": row("sizeMb"),
    "dead rows": row("deadRows"),
  });
  console.table(measured.at(-1)?.of);
}
