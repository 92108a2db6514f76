// Background runs: how soon one starts in an idle system, and how fast a queue of 10,000 drains.
import type { Client } from "pg";
import { connect } from "#lib/platform/database/connect.ts";
import type { RunningServer } from "../e2e/support/server.ts";
import { newDatabase } from "./data/new-database.ts";
import { onPostgres } from "./data/on-postgres.ts";
import { load, seconds } from "./load.ts";
import { callApi, makeFlow, startMillrace } from "./millrace.ts";

const queued = 10_000;
const starts = 200;
const body = { id: "order-1", total: 120 };

const nodes = [
  { id: "check", type: "if-else", config: { condition: "$trigger.body.total > 100" } },
  { id: "shape", type: "transform", config: { transform: "({ total: $trigger.body.total * 2 })" } },
];
const edges = [{ source: "check", target: "shape", sourceHandle: "true" }];

interface Run {
  readonly startedAt: string;
  readonly nodes: readonly { readonly startedAt: string }[];
}

export async function queueBenchmark(): Promise<void> {
  await onPostgres(async (postgresUrl) => {
    const databaseUrl = await newDatabase(postgresUrl, "bench_queue");
    const server = await startMillrace(databaseUrl);
    const database = await connect(databaseUrl);
    try {
      const flow = await makeFlow(server, nodes, edges);
      await load({ url: flow.url, body, clients: 20, seconds: 3 });
      const inline = await load({ url: flow.url, body, clients: 20, seconds: seconds() });
      const waits = await startDelays(server, flow.id);
      const drained = await drain(server, flow.id, database);
      console.log("\nruns that nobody waits for");
      console.table({
        "accepted → first node started, empty system": { "p50 ms": at(waits, 0.5), "p95 ms": at(waits, 0.95) },
        [`${queued} queued, drained`]: { "runs/s": Math.round(drained), ratio: drained / inline.callsPerSecond },
        "the same flow inline, 20 clients": { "runs/s": inline.callsPerSecond, ratio: 1 },
      });
    } finally {
      await database.end();
      await server.stop();
    }
  });
}

const at = (values: readonly number[], share: number) => values[Math.floor(values.length * share)] ?? Number.NaN;

async function startDelays(server: RunningServer, id: string): Promise<number[]> {
  const delays: number[] = [];
  for (let count = 0; count < starts; count += 1) {
    const { executionId } = await callApi<{ executionId: string }>(server, "POST", `/flows/${id}/execute`, {
      data: body,
    });
    let run = await callApi<Run>(server, "GET", `/executions/${executionId}`);
    while (run.nodes[0]?.startedAt == null) run = await callApi<Run>(server, "GET", `/executions/${executionId}`);
    delays.push(Date.parse(run.nodes[0].startedAt) - Date.parse(run.startedAt));
  }
  return delays.sort((a, b) => a - b);
}

// Stores runs as the API does for a worker, but held: no worker sees them before all of them are there.
const queueHeld = `
  INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
    metadata, started_at, timeout_ms, held)
  SELECT 'exec_' || lpad(number::text, 26, '0'), workspace_id, flow_id, flow_name, flow_version, 'pending', trigger_type,
    trigger, source, metadata, now(), timeout_ms, true
  FROM (SELECT * FROM execution WHERE id = $1) AS made, generate_series(1, $2) AS number`;

const readDrained = `
  SELECT count(*) FILTER (WHERE status = 'completed')::int AS done, max(completed_at) AS ended
  FROM execution WHERE id LIKE 'exec_000%'`;

/** Runs per second from the moment they may start, which a call announces, to the last one's end. */
async function drain(server: RunningServer, flowId: string, database: Client): Promise<number> {
  const execute = () => callApi<{ executionId: string }>(server, "POST", `/flows/${flowId}/execute`, { data: body });
  const { executionId } = await execute();
  await database.query(queueHeld, [executionId, queued]);
  await database.query("VACUUM ANALYZE execution");
  await database.query("UPDATE execution SET held = false WHERE held");
  const startedAt = Date.now();
  await execute();
  for (;;) {
    const { rows } = await database.query<{ done: number; ended: Date }>(readDrained);
    const [row] = rows;
    if (row?.done === queued) return queued / ((row.ended.getTime() - startedAt) / 1_000);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
