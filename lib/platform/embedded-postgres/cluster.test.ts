import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";
import { socketDirectoryOf } from "./cluster.ts";

const root = temporaryDirectory();
afterAll(() => rmSync(root, { recursive: true, force: true }));

const newPlace = (name: string) => {
  const place = join(root, name);
  mkdirSync(place, { recursive: true });
  return place;
};

test("a socket's directory is the account's own, and what a killed server left there is removed", async () => {
  const place = newPlace('odd "name", with a comma');
  const directory = join(place, "socket");
  mkdirSync(directory);
  writeFileSync(join(directory, ".s.PGSQL.5432.lock"), "1");
  expect(await socketDirectoryOf(place, {})).toBe(`"${directory.replaceAll('"', '""')}"`);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(() => statSync(join(directory, ".s.PGSQL.5432.lock"))).toThrow("ENOENT");
});

test("there is none where its path would be too long", async () => {
  const fits = 103 - Buffer.byteLength(join(root, "é", "socket", ".s.PGSQL.65535")) + Buffer.byteLength("é");
  const long = (bytes: number) => `é${"x".repeat(bytes - Buffer.byteLength("é"))}`;
  expect(await socketDirectoryOf(newPlace(long(fits)), {})).not.toBe("");
  expect(await socketDirectoryOf(newPlace(long(fits + 1)), {})).toBe("");
});
