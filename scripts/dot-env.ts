import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadEnvFile } from "node:process";

/** Reads `.env`; what is set in the environment itself wins. */
export function loadDotEnv(directory: string): void {
  const file = join(directory, ".env");
  if (existsSync(file)) loadEnvFile(file);
}
