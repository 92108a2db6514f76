// Which test files share a process. Most take longer to load their modules than to run; those that share a process load
// them once. What a file, or a helper that it imports, changes or measures decides how much it may share.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectDirectory } from "../places.mjs";

const unitTests = ["{lib,cli,components}/**/*.test.ts", "e2e/specification/*.test.ts", "*.test.ts"];

/** What a process has once: globals, mocks of modules, children, and how long the event loop was blocked. */
const ofTheProcess =
  /\bprocess\.(?!env\b|ts\b)|\bglobalThis\b|\bvi\.(mock|hoisted)\b|"node:(child_process|worker_threads)"|longestTurn/;

/** What modules keep: settings, timers, and the database that `lib` uses. */
const ofItsModules = /\bprocess\.env\b|\bvi\b|(Test|Own|Proxied)Database/;

/** API tests speak to servers, which are processes: few change their own. */
const ofAnApiTest = /\bvi\b|\(globalThis,|delete process\.env|seeded-workspace/;

const helper = /(^|\/)(testing|e2e\/support)\//;

/** The files of unit tests, from the project's folder: a process each, modules of their own, or nothing of their own. */
export function unitFiles(): { alone: string[]; renewed: string[]; shared: string[] } {
  const {
    alone = [],
    renewed = [],
    shared = [],
  } = Object.groupBy(filesOf(unitTests), (file) => {
    if (contains(file, ofTheProcess)) return "alone";
    return contains(file, ofItsModules) ? "renewed" : "shared";
  });
  return { alone, renewed, shared };
}

/** The files of API tests: a process each, or nothing of their own. */
export function apiFiles(): { alone: string[]; shared: string[] } {
  const { alone = [], shared = [] } = Object.groupBy(filesOf(["e2e/api/**/*.test.ts"]), (file) =>
    ofAnApiTest.test(read(file)) ? "alone" : "shared",
  );
  return { alone, shared };
}

function filesOf(places: readonly string[]): string[] {
  return globSync(places, { cwd: projectDirectory }).toSorted();
}

const read = (file: string) => readFileSync(join(projectDirectory, file), "utf8");

/** Whether the file or a helper of it contains this. */
function contains(file: string, pattern: RegExp, seen = new Set<string>()): boolean {
  seen.add(file);
  const text = read(file);
  return (
    pattern.test(text) || helpersOf(file, text).some((helper) => !seen.has(helper) && contains(helper, pattern, seen))
  );
}

function helpersOf(file: string, text: string): string[] {
  const names = [...text.matchAll(/ from "([#.][^"]+\.ts)"/g)].map(([, name = ""]) => name);
  const files = names.map((name) => (name.startsWith("#") ? name.slice(1) : join(dirname(file), name)));
  return files.filter((file) => helper.test(file));
}
