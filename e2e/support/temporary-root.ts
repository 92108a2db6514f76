// Vitest's global set-up: one place for all temporary files of a run, removed afterwards.
import { rmSync } from "node:fs";
import { temporaryDirectory } from "./temporary-directory.ts";

export default function setUp(): () => void {
  const before = process.env.TMPDIR;
  const root = temporaryDirectory();
  process.env.TMPDIR = root;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(root, { recursive: true, force: true });
  };
}
