// Runs that nobody waits for: how soon one starts in an empty system, and how fast 10,000 of them are drained.

import type { RunningServer } from "../e2e/support/server.ts";
import { load, seconds } from "./load.ts";
import { callApi, makeFlow, startMillrace } from "./millrace.ts";
import { newDatabase } from "./new-database.ts";
import { onPostgres } from "./on-postgres.ts";

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
    const server = await startMillrace(await newDatabase(postgresUrl, "bench_queue"));
    try {
      const flow = await makeFlow(server, nodes, edges);
      await load({ url: flow.url, body, clients: 20, seconds: 3 });
      const inline = await load({ url: flow.url, body, clients: 20, seconds: seconds() });
      const waits = await startDelays(server, flow.id);
      const drained = await drain(server, flow.id);
      console.log("\nruns that nobody waits for");
      console.table({
        "accepted → first node started, empty system": { "p50 ms": at(waits, 0.5), "p95 ms": at(waits, 0.95) },
        [`${queued} queued, drained`]: { "runs/s": Math.round(drained), ratio: drained / inline.callsPerSecond },
        "the same flow inline, 20 clients": { "runs/s": inline.callsPerSecond, ratio: 1 },
      });
    } finally {
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
  return delays.sort((one, other) => one - other);
}

/** Runs a second from the first one queued to the last one ended, as their records tell. */
async function drain(server: RunningServer, id: string): Promise<number> {
  const before = await countCompleted(server);
  const begunAt = performance.now();
  let left = queued;
  const client = async () => {
    while (left-- > 0) await callApi(server, "POST", `/flows/${id}/execute`, { data: body });
  };
  await Promise.all(Array.from({ length: 20 }, client));
  while ((await countCompleted(server)) < before + queued) await new Promise((resolve) => setTimeout(resolve, 100));
  return queued / ((performance.now() - begunAt) / 1_000);
}

async function countCompleted(server: RunningServer): Promise<number> {
  const stats = await callApi<{ summary: { completed: number } }>(server, "GET", "/executions/stats");
  return stats.summary.completed;
}
