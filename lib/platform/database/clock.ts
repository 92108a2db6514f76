import { setClock, sleep } from "../clock.ts";
import { isUnavailable, query } from "../database.ts";
import { errorFields, logLine } from "../log.ts";
import { singleton } from "../singleton.ts";

const readEveryMs = 5_000;
const firstPauseMs = 200;
const firstMsMax = 2_000;
/** The first one waits for a connection, so it may be wrong by half of that time. */
const firstReadings = 3;

/** Sets this process's clock by the database's. */
export async function readDatabaseClock(): Promise<void> {
  const before = performance.now();
  const text = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms";
  const [row] = await query<{ ms: number }>("read-clock", text, []);
  if (row !== undefined) setClock(row.ms, before, performance.now());
}

/**
 * Sets this process's clock by the database's, now and every few seconds. Resolves after the first readings, or after two
 * seconds if the database is unavailable: the machine's clock is then used until it is back.
 */
export async function followDatabaseClock(): Promise<void> {
  singleton("database-clock", () => setInterval(() => void tryReadClock(), readEveryMs).unref());
  let isLate = false;
  const firstReading = async () => {
    while (!(await tryReadClock()) && !isLate) await sleep(firstPauseMs);
    for (let count = 1; count < firstReadings && !isLate; count += 1) await tryReadClock();
  };
  await Promise.race([firstReading(), sleep(firstMsMax)]);
  isLate = true;
}

async function tryReadClock(): Promise<boolean> {
  try {
    await readDatabaseClock();
    return true;
  } catch (error) {
    if (!isUnavailable(error)) logLine("error", "The database's clock could not be read", errorFields(error));
    return false;
  }
}
