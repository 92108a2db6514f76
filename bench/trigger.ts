// A short flow by its trigger URL, every run on disk before its answer leaves, beside the machine's limit.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#lib/platform/embedded-postgres/start.ts";
import { startServer } from "../e2e/support/server.ts";
import { temporaryDirectory } from "../e2e/support/temporary-directory.ts";
import { projectDirectory } from "../scripts/places.mjs";
import { type Figures, load, printTable } from "./load.ts";
import { newDatabase } from "./new-database.ts";

const body = { id: "order-1", customer: "Ada", total: 120, items: [{ sku: "a-1", quantity: 2, price: 60 }] };
const clients = 20;
const secret = "benchmark-secret-benchmark-secret";

const flow = {
  name: "Benchmark",
  status: "active",
  trigger: { type: "webhook", config: { method: "POST" } },
  nodes: [
    { id: "check", type: "if-else", config: { condition: "$trigger.body.total > 100" } },
    {
      id: "shape",
      type: "transform",
      config: { transform: "({ id: $trigger.body.id, total: $trigger.body.total * 2 })" },
    },
    { id: "note", type: "log", config: { message: "order {{ $trigger.body.id }}" } },
    { id: "refuse", type: "transform", config: { transform: "({ refused: true })" } },
  ],
  edges: [
    { source: "check", target: "shape", sourceHandle: "true" },
    { source: "check", target: "refuse", sourceHandle: "false" },
    { source: "shape", target: "note" },
  ],
};

export async function triggerBenchmark(): Promise<void> {
  const directory = temporaryDirectory();
  const postgres = await startEmbeddedPostgres(directory);
  try {
    const limit = await measureLimit(await newDatabase(postgres.url, "bench_limit"));
    const own = await measureMillrace(await newDatabase(postgres.url, "bench_millrace"));
    printTable(`trigger → if-else → transform → log → answer, ${clients} clients, ${seconds()} s each`, [
      ["limit: bare HTTP, one batched row a call", limit],
      ["Millrace, every run recorded", own],
    ]);
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

const seconds = () => Number(process.env.BENCH_SECONDS ?? 10);

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

async function measureMillrace(databaseUrl: string): Promise<Figures> {
  const server = await startServer({
    env: { DATABASE_URL: databaseUrl, AUTH_SECRET: secret, ENCRYPTION_KEY: secret, PUBLIC_URL: undefined },
  });
  try {
    const response = await fetch(`${server.url}/api/v1/flows`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify(flow),
    });
    const { data } = await response.json();
    return await measure(data.trigger.config.url);
  } finally {
    await server.stop();
  }
}
