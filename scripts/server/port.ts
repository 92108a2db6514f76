import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "./stopping.ts";

/** A server that was just killed or told to stop may need a moment to let go of its port. */
const leavingMsMax = 1500;

/** Tells before anything else is started that the port is taken. */
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
