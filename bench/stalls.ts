// How long the server's event loop stands still at most while somebody sends what is made to hurt.

import type { RunningServer } from "../e2e/support/server.ts";
import { freePort } from "../e2e/support/server.ts";
import { startMillrace } from "./millrace.ts";
import { bodyStalls } from "./stalls/bodies.ts";
import { expressionStalls } from "./stalls/expressions.ts";
import { sourceStalls } from "./stalls/sources.ts";

/** Something that could make the server stand still. */
export interface StallCase {
  readonly name: string;
  /** Makes ready what it needs, which is not measured; gives what is done while the server is watched. */
  readonly prepare: (server: RunningServer) => Promise<() => Promise<unknown>>;
}

const cases: readonly StallCase[] = [...sourceStalls, ...bodyStalls, ...expressionStalls];

/** No request, flow or body within the limits may hold up all others for longer. */
const mostMs = 100;
const times = 3;

interface Stall {
  readonly stallMs: number;
  readonly cpuMs: number;
}

/** Prints the longest stall under each case; BENCH_CASES chooses those whose names have this in them. */
export async function stallsBenchmark(databaseUrl: string): Promise<void> {
  const port = await freePort();
  const watch = new URL("./loop-watch.ts", import.meta.url).href;
  const server = await startMillrace(databaseUrl, {
    BENCH_LOOP_PORT: String(port),
    NODE_OPTIONS: `--import ${watch}`,
  });
  const chosen = process.env.BENCH_CASES ?? "";
  try {
    const rows: Record<string, object> = {};
    for (const { name, prepare } of cases) {
      if (!name.includes(chosen)) continue;
      const act = await prepare(server);
      await longest(port);
      await act();
      const { stallMs, cpuMs } = await longest(port);
      rows[name] = { "stall ms": rounded(stallMs), "of it CPU ms": rounded(cpuMs), within: stallMs <= mostMs };
      console.log(name, rows[name]);
    }
    console.log(`\nlongest stall of the event loop; at most ${mostMs} ms`);
    console.table(rows);
  } finally {
    await server.stop();
  }
}

/** What was the longest since this was last asked for. */
async function longest(port: number): Promise<Stall> {
  return (await (await fetch(`http://127.0.0.1:${port}`)).json()) as Stall;
}

const rounded = (ms: number) => Math.round(ms);

/** Sends a request some times, some at once, and reads the answers; the last one's status. */
export async function send(url: string, init: RequestInit, atOnce = 1): Promise<number> {
  let status = 0;
  for (let time = 0; time < times; time += 1) {
    const sent = Array.from({ length: atOnce }, async () => {
      const response = await fetch(url, init);
      const text = await response.text();
      status = response.status;
      if (status >= 500) throw new Error(`${url}: ${status} ${text.slice(0, 300)}`);
    });
    await Promise.all(sent);
  }
  return status;
}

/** A call of the API with this body. */
export const apiCall = (server: RunningServer, body: unknown): RequestInit => ({
  method: "POST",
  headers: { authorization: `Bearer ${server.apiKey}`, "content-type": "application/json" },
  body: JSON.stringify(body),
});
