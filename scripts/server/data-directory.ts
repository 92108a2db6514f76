// The data directory belongs to one server at a time.
import { accessSync, constants, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isHeldUnseen, silentMsMax, tryLock } from "../lock.mjs";
import { StartError } from "./stopping.ts";

/** Enough for a stopping server to report it, and for a killed one to be gone. */
const unsureMsMax = 1500;
const stoppingMsMax = 40_000;
const pollMs = 50;

export type HeldDirectory = { markStopping(): void; release(): void };

/** Locks the directory, creating it if needed. Waits for a stopping server, and fails if another one is running. */
export async function holdDataDirectory(directory: string, log: (line: string) => void): Promise<HeldDirectory> {
  makeWritable(directory);
  const stoppingFile = join(directory, "stopping");
  const startedAt = performance.now();
  let hasLogged = false;
  for (;;) {
    const release = tryLock(join(directory, "lock"));
    if (release) {
      rmSync(stoppingFile, { force: true });
      return { markStopping: () => writeFileSync(stoppingFile, ""), release };
    }
    const stopping = existsSync(stoppingFile);
    if (stopping && !hasLogged) log(`Waiting for the server that is stopping in ${directory}…`);
    hasLogged ||= stopping;
    const unsureMs = isHeldUnseen(join(directory, "lock")) ? silentMsMax + unsureMsMax : unsureMsMax;
    if (performance.now() - startedAt > (stopping ? stoppingMsMax : unsureMs)) {
      throw new StartError(
        `DATA_DIR ${directory} is in use by another running Millrace: set another one, or stop that`,
      );
    }
    await sleep(pollMs);
  }
}

/** Present in the data directory while its keys and its database may not match. */
const unfinishedRestore = "restore-unfinished";

/** Marks the directory while a restore replaces its keys and the data encrypted with them. */
export function markRestore(directory: string): { done(): void } {
  const mark = join(directory, unfinishedRestore);
  writeFileSync(mark, "", { flush: true });
  return { done: () => rmSync(mark) };
}

/** Refuses a directory in which such a restore was interrupted. */
export function refuseUnfinishedRestore(directory: string): void {
  if (!existsSync(join(directory, unfinishedRestore))) return;
  throw new StartError(
    `A restore into DATA_DIR ${directory} was cut short, and its keys may not be those of its database: run \`npm run restore -- FILE --replace\` again. The keys from before it are the files there that end in .before-restore`,
  );
}

function makeWritable(directory: string): void {
  try {
    // The database's account must be able to enter; secret files have their own mode.
    mkdirSync(directory, { recursive: true, mode: 0o711 });
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new StartError(`DATA_DIR ${directory} cannot be written: ${reasonOf(error, directory)}`);
  }
}

/** Node reports a read-only file system as a missing directory when it creates several: makes the first one alone. */
function reasonOf(error: unknown, directory: string): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  if (error.code !== "ENOENT") return error.message;
  let first = directory;
  while (!existsSync(dirname(first))) first = dirname(first);
  try {
    mkdirSync(first);
    return error.message;
  } catch (precise) {
    return precise instanceof Error ? precise.message : precise;
  }
}
