const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

const known = JSON.stringify(
  Array.from({ length: 2_000 }, (_, id) => ({ id, name: "x".repeat(id % 40), tags: ["a"] })),
);
/** The time of `knownWork` on the reference machine, where a turn may take 100 ms. */
const knownWorkMs = 10;

function knownWork(): number {
  const before = cpuMs();
  for (let times = 0; times < 12; times += 1) JSON.stringify(JSON.parse(known));
  return cpuMs() - before;
}

/**
 * How many times slower than the reference this machine currently is, at least 1: a busy neighbour evicts its caches
 * too.
 */
const slowness = (measures: readonly number[]) => Math.max(1, ...measures.map((ms) => ms / knownWorkMs));

/**
 * The longest CPU time between two turns of the event loop, in milliseconds of the reference machine. Excludes other
 * processes' load and this machine's slowness.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const measures = [knownWork(), knownWork()];
  let before = cpuMs();
  let longest = 0;
  const measure = () => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const timer = setInterval(measure, 1);
  await work().finally(() => clearInterval(timer));
  measure();
  return longest / slowness([...measures.slice(1), knownWork()]);
}

/** The CPU time of synchronous work, in milliseconds of the reference machine. */
export function cpuTime(work: () => unknown): number {
  knownWork();
  const measure = knownWork();
  const before = cpuMs();
  work();
  return (cpuMs() - before) / slowness([measure, knownWork()]);
}
