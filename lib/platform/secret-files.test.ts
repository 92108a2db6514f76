import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dropReplacedSecret, keptSecret, replaceSecret, secretFile } from "./secret-files.ts";

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

test("a secret that is only read is not created", () => {
  const path = join(newDirectory(), "secret");
  expect(keptSecret(path)).toBeUndefined();
  expect(existsSync(path)).toBe(false);
  const secret = secretFile(path);
  expect(keptSecret(path)).toBe(secret);
});

test("two secrets differ", () => {
  const directory = newDirectory();
  expect(secretFile(join(directory, "a"))).not.toBe(secretFile(join(directory, "b")));
});

test("a file without a secret is not replaced", () => {
  const path = join(newDirectory(), "secret");
  writeFileSync(path, "");
  chmodSync(path, 0o600);
  expect(() => secretFile(path)).toThrow("does not hold a secret");
  expect(readFileSync(path, "utf8")).toBe("");
});

test("a replaced secret is kept until it is dropped; the first of several", () => {
  const directory = newDirectory();
  const path = join(directory, "secret");
  const first = secretFile(path);
  for (const next of ["b", "c"]) replaceSecret(path, next.repeat(43));
  expect(keptSecret(path)).toBe("c".repeat(43));
  expect(keptSecret(`${path}.before-restore`)).toBe(first);
  dropReplacedSecret(path);
  dropReplacedSecret(path);
  expect(readdirSync(directory)).toEqual(["secret"]);
});
