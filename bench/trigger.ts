// A short flow by its trigger URL, every run on disk before its answer: compared with the machine's limit and Node-RED.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { projectDirectory } from "../scripts/places.mjs";
import { newDatabase } from "./data/new-database.ts";
import { onPostgres } from "./data/on-postgres.ts";
import { type Figures, measureInTurns, printTable, seconds } from "./load.ts";
import { makeFlow, measureCheckouts, startMillrace } from "./millrace.ts";
import { startNodeRed } from "./peers/node-red.ts";

const body = { id: "order-1", customer: "Ada", total: 120, items: [{ sku: "a-1", quantity: 2, price: 60 }] };
const clients = 20;

const nodes = [
  { id: "check", type: "if-else", config: { condition: "$trigger.body.total > 100" } },
  {
    id: "shape",
    type: "transform",
    config: { transform: "({ id: $trigger.body.id, total: $trigger.body.total * 2 })" },
  },
  { id: "refuse", type: "transform", config: { transform: "({ refused: true })" } },
];
const edges = [
  { source: "check", target: "shape", sourceHandle: "true" },
  { source: "check", target: "refuse", sourceHandle: "false" },
];

/** With BENCH_BASE, measures that checkout and this one instead of the others. */
export async function triggerBenchmark(): Promise<void> {
  if (process.env.BENCH_BASE !== undefined) {
    const title = `trigger → if-else → transform → answer, ${clients} clients, ${seconds()} s each, in turns`;
    return await onPostgres((postgresUrl) => measureCheckouts(postgresUrl, { nodes, edges, body }, { title, clients }));
  }
  await onPostgres(async (postgresUrl, directory) => {
    const limit = await startLimit(await newDatabase(postgresUrl, "bench_limit"));
    const nodeRed = await startNodeRed(join(directory, "node-red"));
    const millrace = await startMillrace(await newDatabase(postgresUrl, "bench_millrace"));
    try {
      const own = await makeFlow(millrace, nodes, edges);
      const urls = [limit.url, nodeRed.url, own.url];
      const figures = await measureInTurns(urls.map((url) => ({ url, body, clients })));
      const names = ["limit: bare HTTP, one batched row a call", "Node-RED, in memory, keeps nothing", "Millrace"];
      const title = `trigger → if-else → transform → answer, ${clients} clients, ${seconds()} s each, in turns`;
      printTable(
        title,
        names.map((name, index) => [name, figures[index] as Figures]),
      );
    } finally {
      limit.stop();
      await nodeRed.stop();
      await millrace.stop();
    }
  });
}

async function startLimit(databaseUrl: string): Promise<{ url: string; stop(): void }> {
  const server: ChildProcess = fork(join(projectDirectory, "bench/peers/limit-server.ts"), {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  const [port] = await once(server, "message");
  return { url: `http://127.0.0.1:${port}/`, stop: () => server.kill() };
}
