import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Package = {
  version?: string;
  integrity?: string;
  optionalDependencies?: Record<string, string>;
};
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

// Without one, npm installs whatever the registry gives out under that name and version.
test("every package has the hash of its content", () => {
  const bare = Object.entries(packages).filter(([path, { integrity = "" }]) => path && !/^sha512-/.test(integrity));
  expect(bare.map(([path]) => path)).toEqual([]);
});

// Fixed there: a header that passed by the guards of pages, code run by what a client sent, mail led astray.
test.each([
  ["next", [16, 0, 7]],
  ["react", [19, 2, 1]],
  ["react-dom", [19, 2, 1]],
  ["next-auth", [4, 24, 12]],
  ["undici", [7, 18, 2]],
] as const)("%s is no version of which it is known how it is broken into", (name, [major, minor, patch]) => {
  const [a = 0, b = 0, c = 0] = (packages[`node_modules/${name}`]?.version ?? "").split(".").map(Number);
  expect(a * 1e6 + b * 1e3 + c).toBeGreaterThanOrEqual(major * 1e6 + minor * 1e3 + patch);
});
