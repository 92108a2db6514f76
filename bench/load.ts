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

/** Prints one row a side and the ratio of the last to the first. */
export function printTable(title: string, rows: readonly (readonly [string, Figures])[]): void {
  console.log(`\n${title}`);
  console.table(Object.fromEntries(rows.map(([name, figures]) => [name, figures])));
  const [first, last] = [rows[0]?.[1], rows.at(-1)?.[1]];
  if (first && last && rows.length > 1) {
    console.log(
      `ratio: ${(last.callsPerSecond / first.callsPerSecond).toFixed(3)} of the first row's calls per second`,
    );
  }
}
