import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const projectDirectory = fileURLToPath(new URL("..", import.meta.url));

/** Next empties `.next` before a build, except for its cache. */
export const locksDirectory = join(projectDirectory, ".next/cache/locks");
