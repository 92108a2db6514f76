const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** The most CPU time between two turns of the event loop, in milliseconds: other load on the machine is not in it. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let before = cpuMs();
  let most = 0;
  const look = () => {
    const now = cpuMs();
    most = Math.max(most, now - before);
    before = now;
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return most;
}
