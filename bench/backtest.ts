// A backtest of 1,000 runs of a five-node flow against a changed definition, from the request to its end.
import { newDatabase } from "./data/new-database.ts";
import { onPostgres } from "./data/on-postgres.ts";
import { callApi, makeFlow, startMillrace } from "./millrace.ts";
import { startTarget } from "./peers/target-server.ts";

const runs = 1_000;
const atOnce = 20;
const pollMs = 20;

interface Progress {
  readonly status: string;
  readonly done: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** Checks, computes, calls, computes and answers. */
function nodesOf(url: string, factor: number) {
  return [
    { id: "check", type: "if-else", config: { condition: "$trigger.body.total > 100" } },
    { id: "lines", type: "transform", config: { transform: "$trigger.body.items.map((item) => item.price)" } },
    { id: "ask", type: "http-request", config: { method: "POST", url, body: { total: "{{ $trigger.body.total }}" } } },
    { id: "sum", type: "transform", config: { transform: `({ total: $trigger.body.total * ${factor} })` } },
    { id: "answer", type: "respond", config: { body: "{{ $nodes.sum.output }}" } },
  ];
}

const edges = [
  { source: "check", target: "lines", sourceHandle: "true" },
  { source: "lines", target: "ask" },
  { source: "ask", target: "sum" },
  { source: "sum", target: "answer" },
];

export async function backtestBenchmark(): Promise<void> {
  const target = await startTarget();
  try {
    await onPostgres(async (postgresUrl) => {
      const server = await startMillrace(await newDatabase(postgresUrl, "bench_backtest"), {
        OUTBOUND_ALLOW: "127.0.0.1",
      });
      try {
        const flow = await makeFlow(server, nodesOf(target.url, 2), edges);
        for (let made = 0; made < runs; made += atOnce) {
          await Promise.all(Array.from({ length: atOnce }, (_, index) => order(flow.url, made + index)));
        }
        const startedAt = performance.now();
        const definition = { nodes: nodesOf(target.url, 3), edges };
        const request = { definition, last: runs };
        const made = await callApi<{ backtestId: string }>(server, "POST", `/flows/${flow.id}/backtests`, request);
        let at: Progress;
        do {
          await new Promise((resolve) => setTimeout(resolve, pollMs));
          at = await callApi<Progress>(server, "GET", `/flows/${flow.id}/backtests/${made.backtestId}?limit=1`);
        } while (at.status === "running");
        const seconds = (performance.now() - startedAt) / 1_000;
        console.log(`\na backtest of ${runs} runs of five nodes`);
        console.table({
          [at.status]: { seconds: Number(seconds.toFixed(2)), "runs/s": Math.round(at.done / seconds), ...at.counts },
        });
      } finally {
        await server.stop();
      }
    });
  } finally {
    target.stop();
  }
}

async function order(url: string, number: number): Promise<void> {
  const body = JSON.stringify({ id: `order-${number}`, total: 101 + number, items: [{ price: 1 }, { price: number }] });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  await response.text();
}
