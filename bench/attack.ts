// What others notice of an attacker: how long slow-to-parse input stalls the event loop, and how long others wait while
// one workspace evaluates hostile expressions.

import { endlessExpressions } from "../e2e/support/endless-expressions.ts";
import { addWorkspace } from "../e2e/support/second-workspace.ts";
import type { RunningServer } from "../e2e/support/server.ts";
import { newDatabase } from "./data/new-database.ts";
import { onPostgres } from "./data/on-postgres.ts";
import { seconds } from "./load.ts";
import { makeFlow, startMillrace } from "./millrace.ts";
import { stallsBenchmark } from "./stalls.ts";

const attackers = 12;
/** One request after the other, twenty per second. */
const everyMs = 50;

interface Waited {
  readonly "p50 ms": number;
  readonly "p99 ms": number;
  readonly "longest ms": number;
  readonly failures: number;
}

export async function attackBenchmark(): Promise<void> {
  await onPostgres(async (postgresUrl) => {
    await stallsBenchmark(await newDatabase(postgresUrl, "bench_stalls"));
    if (process.env.BENCH_CASES !== undefined) return;
    const databaseUrl = await newDatabase(postgresUrl, "bench_attack");
    const server = await startMillrace(databaseUrl);
    try {
      const attacker = await addWorkspace(databaseUrl);
      const nodes = [{ id: "t", type: "transform", config: { transform: "[1, 2].map((n) => n * $trigger.body.n)" } }];
      const flow = await makeFlow(server, nodes, []);
      const list = () => request(server, "GET", "/flows?limit=20");
      const run = () => request(server, "POST", flow.url, { n: 21 });
      for (const call of [list, run]) await waited(call, 2);
      const rows: Record<string, Waited> = {};
      for (const [name, call] of Object.entries({ "a list of flows": list, "a run with an expression": run })) {
        const idle = await waited(call, seconds());
        const attack = attackWith(server, attacker);
        const beside = await waited(call, seconds());
        const evaluations = await attack.stop();
        rows[`${name}, nothing else going on`] = idle;
        rows[`${name}, beside ${attackers} attackers`] = beside;
        rows[`… their expressions`] = evaluations;
        console.log(`${name}: p99 beside / idle = ${(beside["p99 ms"] / idle["p99 ms"]).toFixed(1)}`);
      }
      console.table(rows);
    } finally {
      await server.stop();
    }
  });
}

/** Evaluates hostile expressions without a pause until stopped. */
function attackWith(server: RunningServer, key: string): { stop: () => Promise<Waited> } {
  const times: number[] = [];
  let failures = 0;
  let isOver = false;
  const attack = async (first: number) => {
    for (let turn = first; !isOver; turn += 1) {
      const startedAt = performance.now();
      const answer = await request(
        server,
        "POST",
        "/expressions/evaluate",
        {
          expression: endlessExpressions[turn % endlessExpressions.length],
        },
        key,
      );
      if (!answer) failures += 1;
      times.push(performance.now() - startedAt);
    }
  };
  const all = Promise.all(Array.from({ length: attackers }, (_, first) => attack(first)));
  return {
    stop: async () => {
      isOver = true;
      await all;
      return figures(times, failures);
    },
  };
}

async function waited(call: () => Promise<boolean>, forSeconds: number): Promise<Waited> {
  const times: number[] = [];
  let failures = 0;
  const end = performance.now() + forSeconds * 1_000;
  while (performance.now() < end) {
    const startedAt = performance.now();
    if (!(await call())) failures += 1;
    times.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return figures(times, failures);
}

function figures(times: number[], failures: number): Waited {
  const sorted = times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0);
  return { "p50 ms": at(0.5), "p99 ms": at(0.99), "longest ms": at(1), failures };
}

async function request(
  server: RunningServer,
  method: string,
  path: string,
  body?: unknown,
  key = server.apiKey,
): Promise<boolean> {
  const response = await fetch(path.startsWith("http") ? path : `${server.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.ok;
}
