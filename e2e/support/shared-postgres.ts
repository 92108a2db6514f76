// Vitest's global set-up: one PostgreSQL for all tests of the run, unless TEST_DATABASE_URL names one with the
// template.
import { startTestPostgres } from "./test-database.ts";

export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL) return undefined;
  const { url, stop } = await startTestPostgres();
  process.env.TEST_DATABASE_URL = url;
  return async () => {
    delete process.env.TEST_DATABASE_URL;
    await stop();
  };
}
