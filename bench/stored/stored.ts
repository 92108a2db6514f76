// Whether anything slows down as runs are stored: the same calls with 10,000, 100,000 and 1,000,000 runs.

import { sizes } from "../data/fill.ts";
import { filledDatabase } from "../data/filled-database.ts";
import { onPostgres } from "../data/on-postgres.ts";
import { startMillrace } from "../millrace.ts";
import { type Call, calls, openApi } from "./stored-calls.ts";

const turns = () => Number(process.env.BENCH_TURNS ?? 60);

interface Times {
  readonly p50: number;
  readonly p95: number;
}

export async function storedBenchmark(): Promise<void> {
  await onPostgres(async (serverUrl) => {
    const measured: Measured[] = [];
    for (const size of sizes()) measured.push(await measureSize(await filledDatabase(serverUrl, size), size));
    print(measured);
  });
}

interface Measured {
  readonly size: number;
  readonly times: ReadonlyMap<string, Times>;
}

async function measureSize(databaseUrl: string, size: number): Promise<Measured> {
  const server = await startMillrace(databaseUrl);
  try {
    const api = await openApi(server.url, server.apiKey);
    const times = new Map<string, Times>();
    for (const call of calls) times.set(call.name, await measure(call, (turn) => call.make(api, turn)));
    return { size, times };
  } finally {
    await server.stop();
  }
}

const warmTurns = 10;

async function measure({ name }: Call, once: (turn: number) => Promise<unknown>): Promise<Times> {
  const times: number[] = [];
  for (let turn = 0; turn < warmTurns + turns(); turn += 1) {
    const startedAt = performance.now();
    await once(turn);
    if (turn >= warmTurns) times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  if (times.length === 0) throw new Error(`${name} was not called`);
  return { p50: at(0.5), p95: at(0.95) };
}

/** One row per call: p50 and p95 for each size, and the ratio of the last size's p50 to the first's. */
function print(measured: readonly Measured[]): void {
  const [first, last] = [measured[0]?.times, measured.at(-1)?.times];
  const row = (name: string) => {
    const columns = measured.flatMap(({ size, times }) => {
      const { p50 = Number.NaN, p95 = Number.NaN } = times.get(name) ?? {};
      return [
        [`${size} p50 ms`, p50.toFixed(1)],
        [`${size} p95 ms`, p95.toFixed(1)],
      ];
    });
    const growth = (last?.get(name)?.p50 ?? Number.NaN) / (first?.get(name)?.p50 ?? Number.NaN);
    return Object.fromEntries([...columns, ["growth", growth.toFixed(2)]]);
  };
  console.log(`\none client, ${turns()} calls each; growth: p50 of the last size over that of the first`);
  console.table(Object.fromEntries(calls.map(({ name }) => [name, row(name)])));
}
