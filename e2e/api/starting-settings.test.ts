import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freePort, runToEnd } from "#e2e/support/server.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";

const ownDatabase = "postgresql://someone:word@127.0.0.1:1/flows";

describe("an invalid setting prevents the start", () => {
  // Proves configuration.invalid
  test.each([
    ["PORT", { PORT: "abc" }, ['PORT must be a whole number from 1 to 65535, but is "abc"']],
    [
      "PUBLIC_URL",
      { PUBLIC_URL: "flows" },
      [expect.stringMatching(/^PUBLIC_URL must be the origin .*, but is "flows"$/)],
    ],
    [
      "TRIGGER_ORIGIN",
      { TRIGGER_ORIGIN: "http://localhost:3001" },
      ['TRIGGER_ORIGIN must be on another host than PUBLIC_URL, http://localhost:3000, but is "http://localhost:3001"'],
    ],
    [
      "a short key",
      { BOOTSTRAP_API_KEY: "short" },
      [
        "BOOTSTRAP_API_KEY must have 32 characters or more, but has 5 characters",
        "BOOTSTRAP_EMAIL must be set when BOOTSTRAP_API_KEY is set",
        "BOOTSTRAP_PASSWORD must be set when BOOTSTRAP_API_KEY is set",
      ],
    ],
    [
      "a database without secrets",
      { DATABASE_URL: ownDatabase },
      [
        "AUTH_SECRET must be set when DATABASE_URL is set: 32 random characters or more",
        "ENCRYPTION_KEY must be set when DATABASE_URL is set: 32 random characters or more",
      ],
    ],
    [
      "several at once",
      { RATE_LIMIT: "no", SYNC_WAIT_MS: "-1", OUTBOUND_ALLOW: "10.0.0.0/99" },
      [
        expect.stringMatching(/^OUTBOUND_ALLOW must be .*, but is "10.0.0.0\/99"$/),
        'RATE_LIMIT must be "on" or "off", but is "no"',
        'SYNC_WAIT_MS must be a whole number from 0 to 3600000, but is "-1"',
      ],
    ],
  ])("%s: one line each, and nothing else is done", async (_name, env, lines) => {
    const dataDir = join(temporaryDirectory(), "data");
    const { code, logs } = await runToEnd({ DATA_DIR: dataDir, ...env });
    expect(logs.trim().split("\n")).toEqual(lines);
    expect(code).toBe(1);
    expect(existsSync(dataDir)).toBe(false);
  });
});

test("a port in use is reported before a database is created", async () => {
  const port = await freePort();
  const other = createServer().listen(port);
  const dataDir = join(temporaryDirectory(), "data");
  const { code, logs } = await runToEnd({ DATA_DIR: dataDir, PORT: `${port}` });
  other.close();
  expect(logs.trim()).toBe(`PORT ${port} is in use by another program: set another one`);
  expect(code).toBe(1);
  expect(existsSync(dataDir)).toBe(false);
});

test("a data directory that cannot be created is reported in one line", async () => {
  const file = join(temporaryDirectory(), "file");
  writeFileSync(file, "");
  const { code, logs } = await runToEnd({ DATA_DIR: join(file, "data"), PORT: `${await freePort()}` });
  expect(logs.trim()).toMatch(/^DATA_DIR .*file\/data cannot be written: ENOTDIR.*$/);
  expect(code).toBe(1);
});

// Needs the right to mount, as in a container's default root without restrictions.
test("a read-only file system is reported as one, though several folders are missing", async ({ skip }) => {
  const readOnly = temporaryDirectory();
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "ro", "tmpfs", readOnly]).status !== 0) skip();
  try {
    const { code, logs } = await runToEnd({ DATA_DIR: join(readOnly, "var/data"), PORT: `${await freePort()}` });
    expect(logs.trim()).toMatch(/^DATA_DIR .*var\/data cannot be written: EROFS.*$/);
    expect(code).toBe(1);
  } finally {
    spawnSync("umount", [readOnly]);
  }
});

test("a generated secret that was emptied is reported in one line, and not replaced", async () => {
  const dataDir = join(temporaryDirectory(), "data");
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "auth-secret"), "");
  const { code, logs } = await runToEnd({ DATA_DIR: dataDir, PORT: `${await freePort()}` });
  expect(logs.trim()).toMatch(/^.*auth-secret does not hold a secret of 32 characters or more: .*$/);
  expect(code).toBe(1);
});
