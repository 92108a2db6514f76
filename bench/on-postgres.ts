import { rmSync } from "node:fs";
import { startEmbeddedPostgres } from "#lib/platform/embedded-postgres/start.ts";
import { temporaryDirectory } from "../e2e/support/temporary-directory.ts";

/** Does the work with a PostgreSQL of its own, as Millrace embeds it, and an empty folder; both are gone afterwards. */
export async function onPostgres<T>(work: (serverUrl: string, directory: string) => Promise<T>): Promise<T> {
  const directory = temporaryDirectory();
  const postgres = await startEmbeddedPostgres(directory);
  try {
    return await work(postgres.url, directory);
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
