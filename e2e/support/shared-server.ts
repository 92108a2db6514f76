// Vitest's global set-up of the API tests: one server for all of them, unless BASE_URL names a running one.
import { startServer } from "./server.ts";

export default async function setUp(): Promise<(() => Promise<unknown>) | undefined> {
  if (process.env.BASE_URL) return undefined;
  const server = await startServer();
  Object.assign(process.env, {
    BASE_URL: server.url,
    API_KEY: server.apiKey,
    EMAIL: server.email,
    PASSWORD: server.password,
  });
  return () => server.stop();
}
