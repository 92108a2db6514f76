// Load by autocannon, with comparable figures.
import autocannon from "autocannon";

export interface Load {
  readonly url: string;
  readonly body: unknown;
  readonly clients: number;
  readonly seconds: number;
  /** Calls per second; default: as many as possible. */
  readonly rate?: number | undefined;
}

export interface Figures {
  readonly callsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
}

/** Calls the URL with this many concurrent clients, each waiting for its answer before it calls again. */
export async function load({ url, body, clients, seconds, rate }: Load): Promise<Figures> {
  const result = await autocannon({
    url,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    connections: clients,
    duration: seconds,
    ...(rate === undefined ? {} : { overallRate: rate }),
  });
  return {
    callsPerSecond: rounded(result.requests.average),
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}

/** Whole calls, with a decimal below 100. */
const rounded = (rate: number) => (rate < 100 ? Math.round(rate * 10) / 10 : Math.round(rate));

/** How many seconds each contender is measured. */
export const seconds = () => Number(process.env.BENCH_SECONDS ?? 12);

const warmUpSeconds = 3;
/** Short ones: a machine's other load changes from minute to minute. */
const turnSeconds = 3;

/**
 * Measures contenders in turns, so that other load on the machine affects all of them. Figures are the medians of the
 * turns. `turnLengthSeconds`: how many seconds a turn takes; many times an answer's, because calls in flight at its end
 * do not count.
 */
export async function measureInTurns(
  sides: readonly Omit<Load, "seconds">[],
  turnLengthSeconds: number = turnSeconds,
): Promise<Figures[]> {
  for (const side of sides) await load({ ...side, seconds: warmUpSeconds });
  const turns = Math.max(4, Math.round(seconds() / turnLengthSeconds));
  const measured = sides.map((): Figures[] => []);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, side] of sides.entries()) {
      measured[index]?.push(
        await load({ ...side, seconds: Math.max(turnLengthSeconds - 2, Math.round(seconds() / turns)) }),
      );
    }
  }
  return measured.map((ofSide) => ({
    callsPerSecond: median(ofSide.map(({ callsPerSecond }) => callsPerSecond)),
    p50Ms: median(ofSide.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(ofSide.map(({ p99Ms }) => p99Ms)),
    failures: ofSide.reduce((sum, { failures }) => sum + failures, 0),
  }));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return rounded(((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2);
}

/** Prints one row per contender, ours last, and our ratios to each: calls per second, median and p99. */
export function printTable(title: string, rows: readonly (readonly [string, Figures])[]): void {
  console.log(`\n${title}`);
  const own = rows.at(-1)?.[1];
  const ratio = (ours: number | undefined, theirs: number) => Number(((ours ?? 0) / theirs).toFixed(3));
  const table = rows.map(([name, figures]) => {
    const ratios = {
      "our rate / theirs": ratio(own?.callsPerSecond, figures.callsPerSecond),
      "our p50 / theirs": ratio(own?.p50Ms, figures.p50Ms),
      "our p99 / theirs": ratio(own?.p99Ms, figures.p99Ms),
    };
    return [name, { ...figures, ...ratios }];
  });
  console.table(Object.fromEntries(table));
}
