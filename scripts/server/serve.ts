// Starts Millrace: settings, data directory, secrets, database, build, server; and stops it in reverse order.
import { join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { readSettings, type Settings } from "#lib/platform/env.ts";
import { secretFile } from "#lib/platform/secret-files.ts";
import { buildWhenStale } from "../build-when-stale.ts";
import { loadDotEnv } from "../dot-env.ts";
import { projectDirectory } from "../places.mjs";
import { holdDataDirectory, refuseUnfinishedRestore } from "./data-directory.ts";
import { openDatabase } from "./database.ts";
import { refuseTakenPort } from "./port.ts";
import { Stopping } from "./stopping.ts";
import { WebServer } from "./web-server.ts";

// By itself the heap grows to several times what is in use before the rest is collected, the more the larger the machine is:
// under load the process would hold hundreds of megabytes that it does not need.
setFlagsFromString("--heap-growing-percent=25");
// V8 makes objects in its old space whose kind survived once, as while the server started, and does not take that back:
// what a run leaves there keeps all else of the run from being collected quickly. Seen in one start of four, at 40 % of
// the rate.
setFlagsFromString("--no-allocation-site-pretenuring");

const dev = process.argv.includes("--dev");
const say = (line: string) => console.log(line);

const stopping = new Stopping(say);
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
  await refuseTakenPort(port, host);
  const held = settings.databaseUrl ? undefined : await holdDataDirectory(dataDir, say);
  if (held) stopping.onStop(held.release);
  if (held) refuseUnfinishedRestore(dataDir);
  if (!settings.databaseUrl) makeSecrets(settings, dataDir);
  const onStop = (action: () => Promise<void> | void) => stopping.onStop(action);
  // The build takes longest, and needs nothing of the database.
  const [databaseUrl] = await Promise.all([
    openDatabase(settings, dataDir, { onStop, say }),
    buildWhenStale({ dev, onStop, say }),
  ]);
  process.env.DATABASE_URL = databaseUrl;
  const server = new WebServer({ dev, dir: projectDirectory, port, host, trustedProxies: settings.trustedProxies });
  stopping.onStop(() => server.stop());
  if (held) stopping.onStop(held.tellStopping);
  await server.start();
  stayUp();
  say(`Millrace is ready at ${addressOf(settings)}`);
}

/** A mistake in one request must not end the others, as it does not under `next start`; nor must a closed terminal. */
function stayUp(): void {
  process.on("uncaughtException", (error) => console.error(error));
  process.on("unhandledRejection", (error) => console.error(error));
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

/** What the bundle reads of the environment is what was checked here. */
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

/** The secrets that nobody chose: made once, and kept beside the data that they protect. */
function makeSecrets({ authSecret, encryptionKey }: Settings, dataDir: string): void {
  process.env.AUTH_SECRET = authSecret ?? secretFile(join(dataDir, "auth-secret"));
  process.env.ENCRYPTION_KEY = encryptionKey ?? secretFile(join(dataDir, "encryption-key"));
  process.env.NEXTAUTH_SECRET = process.env.AUTH_SECRET;
}

function addressOf({ port, host, publicUrl }: Settings): string {
  const local = `http://${host && host !== "0.0.0.0" && host !== "::" ? host : "localhost"}:${port}`;
  return local === publicUrl ? local : `${local}, for others at ${publicUrl}`;
}
