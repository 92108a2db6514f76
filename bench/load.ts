// Load by autocannon, in figures that can be compared.
import autocannon from "autocannon";

export interface Load {
  readonly url: string;
  readonly body: unknown;
  readonly clients: number;
  readonly seconds: number;
}

export interface Figures {
  readonly callsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
}

/** Calls the URL from that many clients at once, each waiting for its answer before it calls again. */
export async function load({ url, body, clients, seconds }: Load): Promise<Figures> {
  const result = await autocannon({
    url,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    connections: clients,
    duration: seconds,
  });
  return {
    callsPerSecond: Math.round(result.requests.average),
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}

/** Seconds for which a side is measured. */
export const seconds = () => Number(process.env.BENCH_SECONDS ?? 10);

/** Prints one row a side, ours last, and what ours is of each other's calls per second and median. */
export function printTable(title: string, rows: readonly (readonly [string, Figures])[]): void {
  console.log(`\n${title}`);
  const own = rows.at(-1)?.[1];
  const table = rows.map(([name, figures]) => {
    const rate = own === undefined ? 1 : own.callsPerSecond / figures.callsPerSecond;
    return [name, { ...figures, "our rate / theirs": Number(rate.toFixed(3)) }];
  });
  console.table(Object.fromEntries(table));
}
