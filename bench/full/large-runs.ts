// Runs that keep much at once: 30 runs (RUNS) of nine requests, each answered with 5 MB of `{}`, in a server with 1 GiB of
// heap (HEAP). The server must live, and answer other calls meanwhile.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { newDatabase } from "../data/new-database.ts";
import { onPostgres } from "../data/on-postgres.ts";
import { residentMb } from "../memory.ts";
import { callApi, makeFlow, startMillrace } from "../millrace.ts";

const runs = Number(process.env.RUNS ?? 30);
const heapMb = Number(process.env.HEAP ?? 1_024);
const secondsMax = 600;
const steps = 9;
const answer = `[${"{},".repeat(1_666_666).slice(0, -1)}]`;

export async function largeRunsBenchmark(): Promise<void> {
  const target = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
  target.listen(0, "127.0.0.1");
  await once(target, "listening");
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  const nodes = Array.from({ length: steps }, (_, at) => ({ id: `n${at}`, type: "http-request", config: { url } }));
  const edges = nodes.slice(1).map(({ id }, at) => ({ source: `n${at}`, target: id }));
  try {
    await onPostgres(async (postgresUrl) => {
      const settings = { OUTBOUND_ALLOW: "127.0.0.1", NODE_OPTIONS: `--max-old-space-size=${heapMb}` };
      const server = await startMillrace(await newDatabase(postgresUrl, "bench_large_runs"), settings);
      let highest = 0;
      const watch = setInterval(() => {
        highest = Math.max(highest, residentMb(server.pid));
      }, 100);
      try {
        const { id } = await makeFlow(server, nodes, edges);
        const other = await makeFlow(server, [{ id: "a", type: "transform", config: { transform: "1" } }], []);
        const startedAt = performance.now();
        const seconds = () => (performance.now() - startedAt) / 1_000;
        for (let count = 0; count < runs; count += 1)
          await callApi(server, "POST", `/flows/${id}/execute`, { data: {}, async: true });
        const left = async () =>
          (await callApi<unknown[]>(server, "GET", `/executions?flowId=${id}&status=running&limit=100`)).length;
        let [calls, slowestMs] = [0, 0];
        while ((await left()) > 0 && seconds() < secondsMax) {
          const calledAt = performance.now();
          const { ok } = await fetch(other.url, { method: "POST" });
          if (!ok) throw new Error("another call failed");
          calls += 1;
          slowestMs = Math.max(slowestMs, performance.now() - calledAt);
          await sleep(50);
        }
        console.log(`\n${runs} runs of ${steps} answers of ${answer.length} bytes, ${heapMb} MB of heap`);
        const ended = runs - (await left());
        console.table({ server: { ended, seconds: seconds(), MB: highest, otherCalls: calls, slowestMs } });
      } finally {
        clearInterval(watch);
        await server.stop();
      }
    });
  } finally {
    target.close();
  }
}
