import { startMillrace } from "../millrace.ts";
import { fillDatabase } from "./fill-database.ts";
import { newDatabase, onServer } from "./new-database.ts";

/**
 * A database with this many runs for one measurement, copied so that the next one is unaffected. The original is filled
 * if it does not exist yet.
 */
export async function filledDatabase(serverUrl: string, size: number): Promise<string> {
  const name = `filled_${size}`;
  const found = await onServer(serverUrl, `SELECT FROM pg_database WHERE datname = '${name}'`);
  if (found.length === 0) await fill(serverUrl, size, name);
  return await newDatabase(serverUrl, `measured_${size}`, name);
}

/** Gets its final name only when complete. */
async function fill(serverUrl: string, size: number, name: string): Promise<void> {
  const unfinished = "filling";
  const databaseUrl = await newDatabase(serverUrl, unfinished);
  const server = await startMillrace(databaseUrl);
  try {
    await fillDatabase(databaseUrl, size);
  } finally {
    await server.stop();
  }
  await onServer(serverUrl, `ALTER DATABASE ${unfinished} RENAME TO ${name}`);
}
