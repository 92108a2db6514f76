// Vitest's global set-up of the API tests: one server for all of them, unless BASE_URL names a running one.
import type { TestProject } from "vitest/node";
import { makeDatabaseOnce } from "./made-database.ts";
import { startServer } from "./server.ts";

/** The running server, passed to the tests by value: Vite sets its own BASE_URL in their environment. */
export interface SharedServer {
  readonly url: string;
  readonly apiKey: string;
  /** Where its embedded database is; missing if the runner did not tell. */
  readonly dataDir: string | undefined;
}

declare module "vitest" {
  interface ProvidedContext {
    server: SharedServer;
  }
}

export default async function setUp({ provide }: TestProject): Promise<(() => Promise<unknown>) | undefined> {
  const { BASE_URL, API_KEY, DATA_DIR } = process.env;
  // Vite's own is "/".
  if (BASE_URL && BASE_URL !== "/") {
    provide("server", { url: BASE_URL, apiKey: API_KEY ?? "", dataDir: DATA_DIR });
    return undefined;
  }
  const removeDatabase = await makeDatabaseOnce();
  const { url, apiKey, dataDir, stop } = await startServer();
  provide("server", { url, apiKey, dataDir });
  return async () => {
    await stop();
    removeDatabase();
  };
}
