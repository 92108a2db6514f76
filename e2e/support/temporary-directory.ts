import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An empty directory. The database's account can enter it, as in a data directory created by hand. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "millrace-test-"));
  chmodSync(directory, 0o711);
  return directory;
}
