// Vitest's global set-up: one place for all temporary files of a run, removed afterwards.
import { rmSync } from "node:fs";
import { temporaryDirectory } from "./temporary-directory.ts";

/** Once for all projects: places within places have paths that are too long for other programs' sockets. */
export default function setUp(): (() => void) | undefined {
  if (process.env.TEST_TEMPORARY_ROOT) return undefined;
  const before = process.env.TMPDIR;
  const root = temporaryDirectory();
  process.env.TMPDIR = root;
  process.env.TEST_TEMPORARY_ROOT = root;
  return () => {
    delete process.env.TEST_TEMPORARY_ROOT;
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(root, { recursive: true, force: true });
  };
}
