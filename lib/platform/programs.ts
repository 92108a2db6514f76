import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * The file of a program outside the server's bundle: a worker thread, or the sandbox's child. In production, its bundle
 * from `npm run build`, which starts in a fraction of the source's time and memory; in development and tests, the
 * source. `source`: relative to the project's folder, such as `lib/reading/thread.ts`.
 */
export function programFile(source: string): string {
  // Resolved from the working directory, because the server's bundled modules have no usable path.
  const root = /* turbopackIgnore: true */ process.cwd();
  const built = join(/* turbopackIgnore: true */ root, "dist", "programs", source.replace(/\.ts$/, ".mjs"));
  const mayBeBuilt = process.env.NODE_ENV === "production" && process.env.MILLRACE_PROGRAMS !== "source";
  if (mayBeBuilt && existsSync(/* turbopackIgnore: true */ built)) return built;
  return join(/* turbopackIgnore: true */ root, source);
}
