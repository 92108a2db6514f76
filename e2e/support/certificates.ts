// A certificate for tests, where openssl is there.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "./temporary-directory.ts";

/** As PEM: a certificate for localhost, its key, and the untrusted authority that signed it. */
export interface TestCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Null without openssl. */
export function testCertificate(): TestCertificate | null {
  const directory = temporaryDirectory();
  try {
    return makeCertificate(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Creates `server.pem`, `server.key` and `ca.pem`. Null without openssl. */
export function makeCertificate(directory: string): TestCertificate | null {
  const openssl = (line: string) => spawnSync("openssl", line.split(" "), { cwd: directory }).status === 0;
  const isMade =
    openssl("req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.pem -subj /CN=Test") &&
    openssl("req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost") &&
    openssl("x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out server.pem");
  const pem = (name: string) => readFileSync(join(directory, name), "utf8");
  return isMade ? { ca: pem("ca.pem"), cert: pem("server.pem"), key: pem("server.key") } : null;
}
