// Which unit tests share a process. Most files take longer to load their modules than to run; those that share a process
// load each module once. A file gets a process of its own if it, or a helper that it imports, changes or measures what a
// process has once.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectDirectory } from "../places.mjs";

const places = ["{lib,cli,components}/**/*.test.ts", "e2e/specification/*.test.ts", "*.test.ts"];

/** Settings, globals, mocks, children, the database that `lib` uses, and how long the event loop was blocked. */
const ofTheProcess =
  /\bprocess\.|\bglobalThis\b|\bvi\b|"node:(child_process|worker_threads)"|TestDatabase|OwnDatabase|longestTurn/;

const helper = /(^|\/)(testing|e2e\/support)\//;

/** The files of unit tests, from the project's folder. */
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
