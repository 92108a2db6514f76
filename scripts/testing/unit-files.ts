// Which unit tests share a process. Most files take longer to load their modules than to run; those that share a
// process load each module once. A file gets its own process if it, or a helper that it imports, changes or measures
// what is global to a process.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectDirectory } from "../places.mjs";

const places = ["{lib,cli,components}/**/*.test.ts", "e2e/specification/*.test.ts", "*.test.ts"];

/** Settings, globals, mocks, child processes, the database that `lib` uses, and event loop delay. */
const ofTheProcess =
  /\bprocess\.|\bglobalThis\b|\bvi\b|"node:(child_process|worker_threads)"|TestDatabase|OwnDatabase|longestTurn/;

const helper = /(^|\/)(testing|e2e\/support)\//;

/** The unit test files, relative to the project. */
export function unitFiles(): { shared: string[]; alone: string[] } {
  const files = globSync(places, { cwd: projectDirectory }).toSorted();
  const alone = new Set(files.filter((file) => isAlone(file)));
  return { shared: files.filter((file) => !alone.has(file)), alone: [...alone] };
}

function isAlone(file: string, seen = new Set<string>()): boolean {
  seen.add(file);
  const text = readFileSync(join(projectDirectory, file), "utf8");
  return ofTheProcess.test(text) || helpersOf(file, text).some((each) => !seen.has(each) && isAlone(each, seen));
}

function helpersOf(file: string, text: string): string[] {
  const names = [...text.matchAll(/ from "([#.][^"]+\.ts)"/g)].map(([, name = ""]) => name);
  const files = names.map((name) => (name.startsWith("#") ? name.slice(1) : join(dirname(file), name)));
  return files.filter((each) => helper.test(each));
}
