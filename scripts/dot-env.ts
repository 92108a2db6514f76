import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadEnvFile } from "node:process";

/** Reads `.env`; the environment itself takes precedence. */
export function loadDotEnv(directory: string): void {
  const file = join(directory, ".env");
  if (existsSync(file)) loadEnvFile(file);
}
