import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { secretFile } from "./secret-files.ts";

const newDirectory = () => mkdtempSync(join(tmpdir(), "secrets-"));

test("a secret is created once and readable by its owner only", () => {
  const directory = newDirectory();
  const path = join(directory, "deep", "secret");
  const secret = secretFile(path);
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(secretFile(path)).toBe(secret);
  expect(readFileSync(path, "utf8").trim()).toBe(secret);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(directory, "deep"))).toEqual(["secret"]);
});

test("two secrets differ", () => {
  const directory = newDirectory();
  expect(secretFile(join(directory, "a"))).not.toBe(secretFile(join(directory, "b")));
});

test("a file that holds no secret is not replaced", () => {
  const path = join(newDirectory(), "secret");
  writeFileSync(path, "");
  chmodSync(path, 0o600);
  expect(() => secretFile(path)).toThrow("does not hold a secret");
  expect(readFileSync(path, "utf8")).toBe("");
});
