// What a database sees of sixteen servers: claims, leases, sleeping runs that wake, schedules and ends from as many
// light processes. Reports waits for locks of more than 10 ms. BENCH_SERVERS sets another number.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Client } from "pg";
import { newDatabase } from "../data/new-database.ts";
import { onPostgres } from "../data/on-postgres.ts";
import { seconds } from "../load.ts";
import { callApi, startMillrace } from "../millrace.ts";
import { cloneFlows } from "./sleeping-runs.ts";

const servers = () => Number(process.env.BENCH_SERVERS ?? 16);
/** Runs a second that each process stores. */
const rate = () => Number(process.env.BENCH_RATE ?? 20);
const longWaitMs = 10;
const sampleMs = 2;
const secret = "benchmark-secret-benchmark-secret";

const shape = { id: "shape", type: "transform", config: { transform: "({ total: $trigger.body.total * 2 })" } };
// Longer than waits that stay in memory.
const sleep = { id: "sleep", type: "delay", config: { ms: 6_000 } };

export async function serversBenchmark(): Promise<void> {
  await onPostgres(async (postgresUrl) => {
    const databaseUrl = await newDatabase(postgresUrl, "bench_servers");
    const flowIds = await makeFlows(databaseUrl);
    const processes = await Promise.all(Array.from({ length: servers() }, () => start(databaseUrl, flowIds)));
    const sampler = new Client(databaseUrl);
    await sampler.connect();
    try {
      await new Promise((resolve) => setTimeout(resolve, 8_000));
      const before = await ended(sampler);
      const waits = await sample(sampler, seconds() * 1_000);
      const runs = (await ended(sampler)) - before;
      console.log(`\n${servers()} processes, ${Math.round(runs / seconds())} runs a second, ${waits.samples} samples`);
      console.log(
        `longest wait for a lock: ${Math.round(waits.longestMs)} ms; above ${longWaitMs} ms: ${waits.long.size}`,
      );
      console.table([...waits.long.values()].slice(0, 30));
    } finally {
      await sampler.end();
      await Promise.all(processes.map(stop));
    }
  });
}

async function makeFlows(databaseUrl: string): Promise<string[]> {
  const server = await startMillrace(databaseUrl);
  try {
    const flow = { name: "Benchmark", status: "active", trigger: { type: "manual", config: {} }, edges: [] };
    const made = [];
    for (const nodes of [[shape], [sleep], [shape], [shape]]) {
      made.push(await callApi<{ id: string }>(server, "POST", "/flows", { ...flow, nodes }));
    }
    const trigger = { type: "schedule", config: { cron: "*/2 * * * * *", timezone: "UTC" } };
    const scheduled = await callApi<{ id: string }>(server, "POST", "/flows", { ...flow, trigger, nodes: [shape] });
    const client = new Client(databaseUrl);
    await client.connect();
    await cloneFlows(client, scheduled.id, 100);
    await client.end();
    return made.map(({ id }) => id);
  } finally {
    await server.stop();
  }
}

async function start(databaseUrl: string, flowIds: readonly string[]): Promise<ChildProcess> {
  const child = fork(new URL("./light-server.ts", import.meta.url), {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: secret,
      ENCRYPTION_KEY: secret,
      DATABASE_CONNECTIONS: "6",
      BENCH_FLOWS: flowIds.join(","),
      BENCH_RATE: `${rate()}`,
    },
  });
  await once(child, "message");
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.send("stop");
  await exited;
}

async function ended(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM execution WHERE completed_at IS NOT NULL",
  );
  return rows[0]?.count ?? 0;
}

interface LongWait {
  ms: number;
  readonly lock: string;
  readonly statement: string;
  /** What the process that holds the lock does meanwhile, and its own wait. */
  readonly holder: string;
}

// A wait is identified by its process and start; its longest observation counts.
const readWaits = `
  SELECT l.pid || ' ' || l.waitstart AS id, extract(epoch FROM clock_timestamp() - l.waitstart) * 1000 AS ms,
    l.locktype || coalesce(' of ' || l.relation::regclass, '') || ', ' || l.mode AS lock,
    left(regexp_replace(a.query, '\\s+', ' ', 'g'), 60) AS statement,
    concat_ws(', ', h.state, coalesce(h.wait_event, 'no wait'),
      left(regexp_replace(h.query, '\\s+', ' ', 'g'), 60)) AS holder
  FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  LEFT JOIN pg_stat_activity h ON h.pid = (pg_blocking_pids(l.pid))[1]
  WHERE NOT l.granted AND l.waitstart IS NOT NULL`;

async function sample(client: Client, ms: number) {
  const long = new Map<string, LongWait>();
  let [longestMs, samples] = [0, 0];
  for (const until = performance.now() + ms; performance.now() < until; samples += 1) {
    const { rows } = await client.query<LongWait & { id: string }>(readWaits);
    for (const { id, ms: waited, ...more } of rows) {
      longestMs = Math.max(longestMs, Number(waited));
      if (Number(waited) > longWaitMs) long.set(id, { ms: Math.round(Number(waited)), ...more });
    }
    await new Promise((resolve) => setTimeout(resolve, sampleMs));
  }
  return { long, longestMs, samples };
}
