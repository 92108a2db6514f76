import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "./stopping.ts";

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
