// A server in a separate process, for the duration of a measurement.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

export interface ChildServer {
  stop(): Promise<void>;
}

interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Record<string, string>;
  /** Answers with anything but a refused connection once the server is up. */
  readonly readyUrl: string;
}

const readyMsMax = 60_000;

export async function startChildServer({ command, args, cwd, env = {}, readyUrl }: Start): Promise<ChildServer> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  const giveUpAt = Date.now() + readyMsMax;
  while (!(await answers(readyUrl))) {
    if (child.exitCode !== null || Date.now() > giveUpAt) throw new Error(`${command} ${args.join(" ")} did not start`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    () => true,
    () => false,
  );
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
}
