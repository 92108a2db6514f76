// A short flow by its trigger URL, every run on disk before its answer leaves: beside the machine's limit, and Node-RED.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { projectDirectory } from "../scripts/places.mjs";
import { type Figures, load, printTable, seconds } from "./load.ts";
import { makeFlow, startMillrace } from "./millrace.ts";
import { newDatabase } from "./new-database.ts";
import { onPostgres } from "./on-postgres.ts";
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

export async function triggerBenchmark(): Promise<void> {
  await onPostgres(async (postgresUrl, directory) => {
    const limit = await measureLimit(await newDatabase(postgresUrl, "bench_limit"));
    const nodeRed = await measureNodeRed(join(directory, "node-red"));
    const own = await measureMillrace(await newDatabase(postgresUrl, "bench_millrace"));
    printTable(`trigger → if-else → transform → answer, ${clients} clients, ${seconds()} s each`, [
      ["limit: bare HTTP, one batched row a call", limit],
      ["Node-RED, in memory, keeps nothing", nodeRed],
      ["Millrace, every run recorded", own],
    ]);
  });
}

async function measure(url: string): Promise<Figures> {
  await load({ url, body, clients, seconds: 3 });
  return await load({ url, body, clients, seconds: seconds() });
}

async function measureLimit(databaseUrl: string): Promise<Figures> {
  const server: ChildProcess = fork(join(projectDirectory, "bench/limit-server.ts"), {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  try {
    const [port] = await once(server, "message");
    return await measure(`http://127.0.0.1:${port}/`);
  } finally {
    server.kill();
  }
}

async function measureNodeRed(directory: string): Promise<Figures> {
  const server = await startNodeRed(directory);
  try {
    return await measure(server.url);
  } finally {
    await server.stop();
  }
}

async function measureMillrace(databaseUrl: string): Promise<Figures> {
  const server = await startMillrace(databaseUrl);
  try {
    return await measure((await makeFlow(server, nodes, edges)).url);
  } finally {
    await server.stop();
  }
}
