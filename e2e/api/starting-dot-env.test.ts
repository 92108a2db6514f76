import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { loadDotEnv } from "../../scripts/dot-env.ts";

afterEach(() => {
  delete process.env.SIGN_UP;
  delete process.env.RETENTION_DAYS;
});

// Proves configuration.dot-env
test("settings are read from .env, and the environment itself wins", () => {
  const directory = mkdtempSync(join(tmpdir(), "env-"));
  writeFileSync(join(directory, ".env"), 'SIGN_UP=open\nRETENTION_DAYS="30" # days\n');
  process.env.SIGN_UP = "invite";
  loadDotEnv(directory);
  expect([process.env.SIGN_UP, process.env.RETENTION_DAYS]).toEqual(["invite", "30"]);
});

test("a missing .env is no problem", () => {
  loadDotEnv(mkdtempSync(join(tmpdir(), "env-")));
});
