// A server as an ordinary host starts it: `next start` and settings, without our own server in front.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { projectDirectory } from "../../scripts/places.mjs";
import { eventually } from "./eventually.ts";
import { freePort } from "./server.ts";

/** Long: other tests may be using the machine. */
const startMsMax = 110_000;
/** Without a database, it takes connections and answers nothing. */
const answerMsMax = 20_000;

export interface PlainServer {
  readonly url: string;
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
  logs(): string;
  stop(): Promise<void>;
}

/** `health`: what /api/health answers once it has started. */
export async function startPlainServer(env: Record<string, string>, { health = 200 } = {}): Promise<PlainServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const apiKey = `test_${"k".repeat(40)}`;
  const owner = { email: "owner@example.com", password: "a long password" };
  const child = spawn(
    process.execPath,
    [join(projectDirectory, "node_modules/next/dist/bin/next"), "start", "-p", `${port}`],
    {
      cwd: projectDirectory,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
        PUBLIC_URL: url,
        // Another host, for browsers and our server, on the same machine.
        TRIGGER_ORIGIN: `http://127.0.0.1:${port}`,
        AUTH_SECRET: "a".repeat(32),
        ENCRYPTION_KEY: "e".repeat(32),
        BOOTSTRAP_EMAIL: owner.email,
        BOOTSTRAP_PASSWORD: owner.password,
        BOOTSTRAP_API_KEY: apiKey,
        RATE_LIMIT: "off",
        OUTBOUND_ALLOW: "127.0.0.1,localhost",
        ...env,
      },
    },
  );
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const isUp = () =>
    fetch(`${url}/api/health`, { signal: AbortSignal.timeout(answerMsMax) }).then(
      ({ status }) => (status === health ? true : undefined),
      () => undefined,
    );
  await eventually("next start answers", isUp, startMsMax).catch((error) => {
    child.kill("SIGKILL");
    throw new Error(`${error instanceof Error ? error.message : error}. It printed:\n${printed}`);
  });
  return {
    url,
    apiKey,
    ...owner,
    logs: () => printed,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}
