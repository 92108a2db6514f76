// Starts Millrace (settings, data directory, secrets, database, build, server), and stops it in reverse order.
import { join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { readSettings, type Settings } from "#lib/platform/env.ts";
import { secretFile } from "#lib/platform/secret-files.ts";
import { buildWhenStale } from "../build-when-stale.ts";
import { loadDotEnv } from "../dot-env.ts";
import { projectDirectory } from "../places.mjs";
import { holdDataDirectory, refuseUnfinishedRestore } from "./data-directory.ts";
import { openDatabase } from "./database.ts";
import { passedSocket, refuseTakenPort } from "./port.ts";
import { Stopping } from "./stopping.ts";
import { WebServer } from "./web-server.ts";

// V8 allocates objects in the old space if their kind survived once, for instance while the server started, and does
// not reconsider: what a run leaves there keeps the rest of the run from being collected quickly. Seen in one start in
// four, which then reached 40 % of the rate.
setFlagsFromString("--no-allocation-site-pretenuring");

const dev = process.argv.includes("--dev");
const log = (line: string) => console.log(line);

const stopping = new Stopping(log);
try {
  await start();
} catch (error) {
  await stopping.fail(error);
}

async function start(): Promise<void> {
  loadDotEnv(projectDirectory);
  const settings = readSettings(process.env);
  const { port, host } = settings;
  const dataDir = resolve(projectDirectory, settings.dataDir);
  setEnvironment(settings, dataDir);
  const socket = passedSocket(process.env);
  if (socket === undefined) await refuseTakenPort(port, host);
  const held = settings.databaseUrl ? undefined : await holdDataDirectory(dataDir, log);
  if (held) stopping.onStop(held.release);
  if (held) refuseUnfinishedRestore(dataDir);
  if (!settings.databaseUrl) makeSecrets(settings, dataDir);
  const onStop = (action: () => Promise<void> | void) => stopping.onStop(action);
  // The build takes longest, and needs no database.
  const [databaseUrl] = await Promise.all([
    openDatabase(settings, dataDir, { onStop, log }),
    buildWhenStale({ dev, onStop, log }),
  ]);
  process.env.DATABASE_URL = databaseUrl;
  const { trustedProxies } = settings;
  const server = new WebServer({ dev, dir: projectDirectory, port, host, socket, trustedProxies });
  stopping.onStop(() => server.stop());
  if (held) stopping.onStop(held.markStopping);
  await server.start();
  surviveErrors();
  keepHeapSmall();
  log(`Millrace is ready at ${addressOf(settings)}`);
}

/** As under `next start`, neither an error in one request nor a closed terminal may end the others. */
function surviveErrors(): void {
  process.on("uncaughtException", (error) => console.error(error));
  process.on("unhandledRejection", (error) => console.error(error));
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

/**
 * By default the heap grows to several times its live data before it is collected, the more so on a large machine: under
 * load the process would keep hundreds of megabytes that it does not need. Not while it starts: nearly all that modules
 * allocate stays, and collecting it again and again would take a tenth of the start.
 */
function keepHeapSmall(): void {
  setFlagsFromString("--heap-growing-percent=25");
}

/** The bundle reads the environment as it was validated here. */
function setEnvironment({ port, publicUrl }: Settings, dataDir: string): void {
  Object.assign(process.env, {
    NODE_ENV: dev ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    PORT: `${port}`,
    PUBLIC_URL: publicUrl,
    NEXTAUTH_URL: publicUrl,
    DATA_DIR: dataDir,
  });
}

/** Secrets that are not configured are generated once, and stored next to the data that they protect. */
function makeSecrets({ authSecret, encryptionKey }: Settings, dataDir: string): void {
  process.env.AUTH_SECRET = authSecret ?? secretFile(join(dataDir, "auth-secret"));
  process.env.ENCRYPTION_KEY = encryptionKey ?? secretFile(join(dataDir, "encryption-key"));
  process.env.NEXTAUTH_SECRET = process.env.AUTH_SECRET;
}

function addressOf({ port, host, publicUrl }: Settings): string {
  const local = `http://${host && host !== "0.0.0.0" && host !== "::" ? host : "localhost"}:${port}`;
  const isForOthers = local !== publicUrl && new URL(publicUrl).hostname !== "localhost";
  return isForOthers ? `${local}, for others at ${publicUrl}` : local;
}
