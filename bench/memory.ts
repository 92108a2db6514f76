// The server's memory after 10,000 runs and after 100,000, and with 50 runs in flight.
import { readdirSync, readFileSync } from "node:fs";
import autocannon from "autocannon";
import { newDatabase } from "./data/new-database.ts";
import { onPostgres } from "./data/on-postgres.ts";
import { makeFlow, startMillrace } from "./millrace.ts";
import { startTarget } from "./peers/target-server.ts";

const body = JSON.stringify({ id: "order-1", total: 120 });
const transform = [{ id: "shape", type: "transform", config: { transform: "({ total: $trigger.body.total * 2 })" } }];

export async function memoryBenchmark(): Promise<void> {
  const target = await startTarget();
  try {
    await onPostgres(async (postgresUrl) => {
      const server = await startMillrace(await newDatabase(postgresUrl, "bench_memory"));
      try {
        const quick = await makeFlow(server, transform, []);
        const call = { method: "POST", url: target.url, body: "{{ $trigger.body }}" };
        const calling = await makeFlow(server, [{ id: "call", type: "http-request", config: call }], []);
        await run(quick.url, 10_000);
        const early = residentMb(server.pid);
        await run(quick.url, 90_000);
        const late = residentMb(server.pid);
        const flights = run(calling.url, 20_000, 50);
        let inFlight = 0;
        const watch = setInterval(() => {
          inFlight = Math.max(inFlight, residentMb(server.pid));
        }, 250);
        await flights;
        clearInterval(watch);
        console.log("\nmemory of the server process, resident");
        console.table({
          "after 10,000 runs": { MB: early, ratio: 1 },
          "after 100,000 runs": { MB: late, ratio: late / early },
          "50 runs in flight, at most": { MB: inFlight, ratio: inFlight / early },
        });
      } finally {
        await server.stop();
      }
    });
  } finally {
    target.stop();
  }
}

async function run(url: string, amount: number, connections = 20): Promise<void> {
  const headers = { "content-type": "application/json" };
  await autocannon({ url, method: "POST", headers, body, connections, amount });
}

/** Of the serving process: the largest of the starter and its children. */
export function residentMb(pid: number): number {
  const own = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && (Number(name) === pid || parentOf(name) === pid),
  );
  return Math.max(...own.map((name) => Math.round(residentKb(name) / 1024)));
}

const statusOf = (pid: string, field: string) => {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
};
const parentOf = (pid: string) => statusOf(pid, "PPid");
const residentKb = (pid: string) => statusOf(pid, "VmRSS");
