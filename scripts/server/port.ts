import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "./stopping.ts";

/** systemd passes sockets from this file descriptor on. */
const firstPassed = 3;

/**
 * The listening socket passed to this process (systemd's socket activation): connections wait in it while Millrace
 * restarts. Throws StartError unless there is exactly one.
 */
export function passedSocket(env: Record<string, string | undefined>): number | undefined {
  const { LISTEN_FDS: count, LISTEN_PID: pid } = env;
  // Child processes must not use it.
  for (const name of ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"]) delete env[name];
  // Started with an older Node, this process is the child of the one that systemd started (current-node.mjs).
  if (count === undefined || ![process.pid, process.ppid].includes(Number(pid))) return undefined;
  if (count !== "1") throw new StartError(`LISTEN_FDS is ${count}: Millrace listens on one socket`);
  return firstPassed;
}

/** A server that was just killed or stopped may need a moment to release its port. */
const leavingMsMax = 1500;

/** Reports a port in use before anything else is started. */
export async function refuseTakenPort(port: number, host: string | undefined): Promise<void> {
  const end = performance.now() + leavingMsMax;
  for (;;) {
    const problem = await listenOnce(port, host);
    if (!problem) return;
    if (problem.code !== "EADDRINUSE") throw new StartError(`PORT ${port} cannot be used: ${problem.message}`);
    if (performance.now() > end) throw new StartError(`PORT ${port} is in use by another program: set another one`);
    await sleep(100);
  }
}

function listenOnce(port: number, host: string | undefined): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", resolve);
    server.listen({ port, ...(host && { host }) }, () => server.close(() => resolve(undefined)));
  });
}
