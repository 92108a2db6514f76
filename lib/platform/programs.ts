import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * The file of a program that is started outside the server's bundle: a thread, or the sandbox's child. In production the
 * one that `npm run build` made of it, which starts in a fraction of the time and memory that its TypeScript takes; in
 * development and tests the source, as where the server itself had to be started from it. `source`: from the project's folder, such as `lib/reading/thread.ts`.
 */
export function programFile(source: string): string {
  // Resolved from the working directory: the server's own modules are bundled and have no usable path.
  const root = /* turbopackIgnore: true */ process.cwd();
  const built = join(/* turbopackIgnore: true */ root, "dist", "programs", source.replace(/\.ts$/, ".mjs"));
  const mayBeBuilt = process.env.NODE_ENV === "production" && process.env.MILLRACE_PROGRAMS !== "source";
  if (mayBeBuilt && existsSync(/* turbopackIgnore: true */ built)) return built;
  return join(/* turbopackIgnore: true */ root, source);
}
