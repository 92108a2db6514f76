import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";
import { startEmbeddedPostgres } from "#lib/platform/embedded-postgres/start.ts";

/**
 * Runs the work with an embedded PostgreSQL and an empty folder; both are removed afterwards, unless BENCH_KEEP names a
 * folder to keep them in.
 */
export async function onPostgres<T>(work: (serverUrl: string, directory: string) => Promise<T>): Promise<T> {
  const folder = process.env.BENCH_KEEP;
  const directory = folder ? resolve(folder) : temporaryDirectory();
  const postgres = await startEmbeddedPostgres(directory);
  try {
    return await work(postgres.url, directory);
  } finally {
    await postgres.stop();
    if (!folder) rmSync(directory, { recursive: true, force: true });
  }
}
