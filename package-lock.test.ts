import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Package = { version?: string; optionalDependencies?: Record<string, string> };
const packages: Record<string, Package> = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;

function isLocked(name: string, path: string): boolean {
  if (packages[`${path ? `${path}/` : ""}node_modules/${name}`]?.version) return true;
  const above = path.lastIndexOf("node_modules/");
  return above >= 0 && isLocked(name, path.slice(0, Math.max(0, above - 1)));
}

// npm leaves out the packages of platforms that its registry did not offer, and `npm ci` then fails everywhere.
test("the lock file names every platform's packages", () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(name, path)),
  );
  expect(missing).toEqual([]);
});
