import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An empty directory that the database's account can enter, like a data directory created by hand. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "millrace-test-"));
  chmodSync(directory, 0o711);
  return directory;
}
