// 100,000 runs that sleep and 10,000 schedules, all due within one minute, with two servers: the server's memory while
// they sleep, how late the last one wakes, whether any starts twice, and ordinary calls before and meanwhile.
// BENCH_SLEEPERS, BENCH_SCHEDULES and BENCH_DUE_SECONDS set other numbers.
import type { Client } from "pg";
import { connect } from "#lib/platform/database/connect.ts";
import type { RunningServer } from "../../e2e/support/server.ts";
import { newDatabase } from "../data/new-database.ts";
import { onPostgres } from "../data/on-postgres.ts";
import { type Figures, load } from "../load.ts";
import { residentMb } from "../memory.ts";
import { callApi, makeFlow, startMillrace } from "../millrace.ts";
import { cloneFlows, cloneRun, wakeAll } from "./sleeping-runs.ts";

const numberOf = (name: string, usual: number) => Number(process.env[name] ?? usual);
const sleepers = () => numberOf("BENCH_SLEEPERS", 100_000);
const schedules = () => numberOf("BENCH_SCHEDULES", 10_000);
const dueSeconds = () => numberOf("BENCH_DUE_SECONDS", 60);

const body = { id: "order-1", total: 120 };
const ordinary = [{ id: "shape", type: "transform", config: { transform: "({ total: $trigger.body.total * 2 })" } }];
/** Ordinary calls a second: far from what a server can do. */
const rate = 100;
const clients = 10;
const quietSeconds = 15;
const leadSeconds = 5;
const patienceMs = 600_000;

export async function sleepersBenchmark(): Promise<void> {
  await onPostgres(async (postgresUrl) => {
    const databaseUrl = await newDatabase(postgresUrl, "bench_sleepers");
    const servers = [await startMillrace(databaseUrl), await startMillrace(databaseUrl)];
    const database = await connect(databaseUrl);
    try {
      const [first] = servers;
      if (first === undefined) throw new Error("no server");
      const called = await makeFlow(first, ordinary, []);
      await load({ url: called.url, body, clients, seconds: 5, rate });
      const quiet = await load({ url: called.url, body, clients, seconds: quietSeconds, rate });
      const memory = { empty: memoryOf(servers), asleep: [] as number[], most: [] as number[] };
      await fill(first, database);
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      memory.asleep = memoryOf(servers);
      const dueAt = await wakeAll(database, leadSeconds, dueSeconds());
      const calls = load({ url: called.url, body, clients, seconds: leadSeconds + dueSeconds() + 5, rate });
      const watch = setInterval(() => {
        memory.most = memoryOf(servers).map((mb, index) => Math.max(mb, memory.most[index] ?? 0));
      }, 500);
      await untilDone(database);
      clearInterval(watch);
      print(quiet, await calls, memory);
      console.table(await outcome(database, dueAt));
    } finally {
      await database.end();
      for (const server of servers) await server.stop();
    }
  });
}

const memoryOf = (servers: readonly RunningServer[]) => servers.map(({ pid }) => residentMb(pid));

async function fill(server: RunningServer, database: Client): Promise<void> {
  const nodes = [
    { id: "sleep", type: "delay", config: { ms: 24 * 3_600_000 } },
    { id: "after", type: "transform", config: { transform: "({ slept: true })" } },
  ];
  const sleepingFlow = await makeFlow(server, nodes, [{ source: "sleep", target: "after" }]);
  const { executionId } = await callApi<{ executionId: string }>(server, "POST", `/flows/${sleepingFlow.id}/execute`, {
    data: body,
  });
  const text = "SELECT FROM execution WHERE id = $1 AND wake_at IS NOT NULL";
  while ((await database.query(text, [executionId])).rowCount === 0) await new Promise((go) => setTimeout(go, 50));
  await cloneRun(database, executionId, sleepers());
  const trigger = { type: "schedule", config: { cron: "0 0 1 1 *", timezone: "UTC" } };
  const work = [{ id: "work", type: "transform", config: { transform: "({ done: true })" } }];
  const flow = { name: "Scheduled", status: "active", trigger, nodes: work, edges: [] };
  const scheduled = await callApi<{ id: string }>(server, "POST", "/flows", flow);
  await cloneFlows(database, scheduled.id, schedules());
  await database.query("VACUUM ANALYZE");
}

// By partial indexes, which only hold what is still due.
const readOpen = `
  SELECT EXISTS (SELECT FROM execution WHERE status = 'running' AND wake_at < now() + interval '10 minutes')
    OR EXISTS (SELECT FROM flow_schedule WHERE next_run_at < now() + interval '10 minutes')
    OR EXISTS (SELECT FROM execution WHERE status IN ('pending', 'running') AND wake_at IS NULL
      AND started_at < now() - interval '1 second') AS open`;

async function untilDone(database: Client): Promise<void> {
  const giveUpAt = Date.now() + patienceMs;
  while (Date.now() < giveUpAt) {
    const { rows } = await database.query<{ open: boolean }>(readOpen);
    if (rows[0]?.open === false) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

// A sleeper is started once and claimed once. Its lateness is from when it was due to its end.
const readOutcome = `
  SELECT count(*)::int AS runs, count(DISTINCT e.id)::int AS ids,
    count(*) FILTER (WHERE e.status = 'completed')::int AS completed,
    count(*) FILTER (WHERE e.fence > $2::int)::int AS "claimed again",
    round(extract(epoch FROM max(e.completed_at) - $1::timestamptz), 1)::float8 AS "last ended, s after the first was due",
    round(extract(epoch FROM max(e.completed_at - d.due)), 1)::float8 AS "latest, s after it was due",
    round((percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM e.completed_at - d.due)))::numeric, 2)::float8 AS "median, s"
  FROM execution e JOIN bench_due d ON d.id = `;

async function outcome(database: Client, dueAt: Date): Promise<Record<string, object>> {
  const slept = await database.query(`${readOutcome} e.id WHERE e.id LIKE 'exec_0000%'`, [dueAt, 2]);
  const scheduled = await database.query(`${readOutcome} e.flow_id WHERE e.source = 'schedule'`, [dueAt, 1]);
  return { [`${sleepers()} sleeping runs`]: slept.rows[0], [`${schedules()} schedules`]: scheduled.rows[0] };
}

interface Memory {
  readonly empty: readonly number[];
  readonly asleep: readonly number[];
  readonly most: readonly number[];
}

function print(quiet: Figures, meanwhile: Figures, memory: Memory): void {
  console.log(`\nordinary calls, ${rate} a second at the first server; all is due within ${dueSeconds()} s`);
  console.table({ quiet, meanwhile, ratio: { p99Ms: Number((meanwhile.p99Ms / quiet.p99Ms).toFixed(2)) } });
  console.log("\nmemory of the two servers, resident MB");
  console.table(memory);
}
