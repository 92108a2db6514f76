// The server's longest event loop stall under hostile input.

import type { RunningServer } from "../e2e/support/server.ts";
import { freePort } from "../e2e/support/server.ts";
import { startMillrace } from "./millrace.ts";
import { bodyStalls } from "./stalls/bodies.ts";
import { expressionStalls } from "./stalls/expressions.ts";
import { runStalls } from "./stalls/runs.ts";
import { sourceStalls } from "./stalls/sources.ts";

/** An input that could stall the server. */
export interface StallCase {
  readonly name: string;
  /** Sets up, unmeasured; returns what to do while the server is watched. */
  readonly prepare: (server: RunningServer) => Promise<() => Promise<unknown>>;
}

const cases: readonly StallCase[] = [...bodyStalls, ...expressionStalls, ...sourceStalls, ...runStalls];

/** No request, flow or body within the limits may block others for longer. */
const mostMs = 100;
const times = 3;
/** A busy machine adds to some rounds; the server's own work is in every round. */
const triesMax = 3;

interface Stall {
  readonly stallMs: number;
  readonly cpuMs: number;
}

/**
 * Prints the longest stall for each case; BENCH_CASES selects those whose names contain one of its parts, separated by
 * `|`. With BENCH_FIRST=true the server's thread runs before other work on the machine.
 */
export async function stallsBenchmark(databaseUrl: string): Promise<void> {
  const port = await freePort();
  const watch = new URL("./stalls/loop-watch.ts", import.meta.url).href;
  const server = await startMillrace(databaseUrl, {
    BENCH_LOOP_PORT: String(port),
    BENCH_FIRST: process.env.BENCH_FIRST ?? "",
    NODE_OPTIONS: `--import ${watch}`,
  });
  const chosen = (process.env.BENCH_CASES ?? "").split("|");
  try {
    const rows: Record<string, object> = {};
    for (const { name, prepare } of cases) {
      if (!chosen.some((part) => name.includes(part))) continue;
      const act = await prepare(server);
      await longest(port);
      let shortest: Stall | undefined;
      let tries = 0;
      while (tries < triesMax && (shortest === undefined || shortest.stallMs > mostMs)) {
        tries += 1;
        await act();
        const stall = await longest(port);
        if (shortest === undefined || stall.stallMs < shortest.stallMs) shortest = stall;
      }
      const { stallMs = 0, cpuMs = 0 } = shortest ?? {};
      rows[name] = { "stall ms": rounded(stallMs), "of it CPU ms": rounded(cpuMs), tries, within: stallMs <= mostMs };
      console.log(name, rows[name]);
    }
    console.log(`\nlongest stall of the event loop; at most ${mostMs} ms`);
    console.table(rows);
  } finally {
    await server.stop();
  }
}

/** The longest stall since the last call. */
async function longest(port: number): Promise<Stall> {
  return (await (await fetch(`http://127.0.0.1:${port}`)).json()) as Stall;
}

const rounded = (ms: number) => Math.round(ms);

/** Sends a request repeatedly, some at once, and reads the answers; returns the last status. */
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
