// What git knows about a folder. Git is called with fixed arguments: no file name becomes an option or reaches a
// shell.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { Failure } from "../failure.ts";
import { isFlowPath } from "./flow-files.ts";

const outputBytesMax = 64 * 1_048_576;
/** The maximum number of earlier versions of a file to check. */
const commitsMax = 200;

/** Git's output; null on failure: no repository, no such commit, no git. */
export function git(folder: string, ...command: readonly string[]): string | null {
  try {
    return execFileSync("git", ["-C", folder, ...command], {
      encoding: "utf8",
      maxBuffer: outputBytesMax,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return null;
  }
}

/** A file's texts in the ancestors of the checked-out commit, newest first. */
export function* earlierTexts(folder: string, file: string): Generator<string, void, undefined> {
  const log = git(folder, "log", `--max-count=${commitsMax}`, "--format=%H", "--", join(".", file)) ?? "";
  for (const commit of log.split("\n").filter(Boolean)) {
    const text = git(folder, "show", `${commit}:./${file}`);
    if (text !== null) yield text;
  }
}

/** A commit's flow files, by path relative to the folder. Throws Failure if it is not a commit. */
export function filesOfCommit(folder: string, revision: string): Map<string, string> {
  const commit = git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`)?.trim();
  if (!commit) throw new Failure("usage", `"${revision}" is not a file, folder or git commit`);
  const listed = git(folder, "ls-tree", "-r", "-z", "--name-only", commit, "--", ".") ?? "";
  const paths = listed.split("\0").filter(isFlowPath);
  return new Map(paths.map((path) => [path, git(folder, "show", `${commit}:./${path}`) ?? ""]));
}
