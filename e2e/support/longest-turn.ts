const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

const known = JSON.stringify(
  Array.from({ length: 2_000 }, (_, id) => ({ id, name: "x".repeat(id % 40), tags: ["a"] })),
);
/** What `knownWork` takes on a machine on which a turn may take its 100 ms. */
const knownWorkMs = 10;

function knownWork(): number {
  const before = cpuMs();
  for (let times = 0; times < 12; times += 1) JSON.stringify(JSON.parse(known));
  return cpuMs() - before;
}

/** How many times slower than usual this machine is at the moment, at least 1: a busy neighbour takes its caches too. */
const slowness = (measures: readonly number[]) => Math.max(1, ...measures.map((ms) => ms / knownWorkMs));

/**
 * The most CPU time between two turns of the event loop, in milliseconds of a usual machine: other load is not in it,
 * and neither is what a slow machine adds.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const measures = [knownWork(), knownWork()];
  let before = cpuMs();
  let most = 0;
  const look = () => {
    const now = cpuMs();
    most = Math.max(most, now - before);
    before = now;
  };
  const timer = setInterval(look, 1);
  await work().finally(() => clearInterval(timer));
  look();
  return most / slowness([...measures.slice(1), knownWork()]);
}

/** The CPU time of work that does not wait, in milliseconds of a usual machine. */
export function cpuTime(work: () => unknown): number {
  knownWork();
  const measure = knownWork();
  const before = cpuMs();
  work();
  return (cpuMs() - before) / slowness([measure, knownWork()]);
}
