import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type Frame, fromFile, toFile } from "./frames.ts";
import { keyOf } from "./sealed-file.ts";

const passphrase = "correct horse battery";
const headBytes = 49;
const chunkBytes = 65_536 + 16;
const rows = randomBytes(4 * 65_536);

let directory: string;
let file: string;
let size: number;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "sealed-"));
  file = await written("whole", [
    { kind: "table", content: { name: "a", columns: ["b"] } },
    { kind: "data", content: rows },
    { kind: "tableEnd", content: { rows: 1 } },
    { kind: "end", content: { tables: 1 } },
  ]);
  size = readFileSync(file).length;
});

async function written(name: string, frames: Frame[]): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of toFile(passphrase, all(frames))) parts.push(part);
  return changed(name, () => Buffer.concat(parts));
}

async function* all(frames: Frame[]): AsyncGenerator<Frame> {
  yield* frames;
}

function changed(name: string, change: (bytes: Buffer) => Buffer): string {
  const made = join(directory, name);
  writeFileSync(made, change(file === undefined ? Buffer.alloc(0) : readFileSync(file)));
  return made;
}

async function read(from: string, phrase = passphrase): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of fromFile(from, await keyOf(from, phrase))) frames.push(frame);
  return frames;
}

const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error) => `${error.name}: ${error.message}`,
  );

test("sealed data opens unchanged, only with its passphrase", async () => {
  const frames = await read(file);
  const data = frames.flatMap(({ kind, content }) => (kind === "data" ? [content] : []));
  expect(Buffer.concat(data).equals(rows)).toBe(true);
  expect(frames.map(({ kind }) => kind).filter((kind) => kind !== "data")).toEqual(["table", "tableEnd", "end"]);
  expect(await problemOf(read(file, "another passphrase"))).toMatch(
    /^BackupError: .* was encrypted with another passphrase$/,
  );
});

test("a flipped bit is detected anywhere, before later data is passed on", async () => {
  for (const [at, says] of [
    [3, /is not a Millrace backup/],
    [16, /was made by a newer Millrace/],
    [20, /was encrypted with another passphrase/],
    [40, /was encrypted with another passphrase/],
    [60, /is damaged or truncated: the data after byte 49 /],
    [headBytes + chunkBytes + 7, /is damaged or truncated: the data after byte 65601 /],
    [size - 1, /is damaged or truncated/],
  ] as const) {
    const flipped = changed("flipped", (bytes) => {
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    });
    expect([at, await problemOf(read(flipped))]).toEqual([at, expect.stringMatching(says)]);
  }
});

test("a truncated or extended file is refused", async () => {
  for (const length of [0, 10, 48, 49, 60, headBytes + chunkBytes, size - 1]) {
    const cut = changed("cut", (bytes) => bytes.subarray(0, length));
    expect([length, await problemOf(read(cut))]).toEqual([
      length,
      expect.stringMatching(/^BackupError: .* is (not a Millrace backup|damaged or truncated)/),
    ]);
  }
  const longer = changed("longer", (bytes) => Buffer.concat([bytes, Buffer.of(0)]));
  expect(await problemOf(read(longer))).toMatch(/is damaged or truncated/);
  expect(await problemOf(read(join(directory, "absent")))).toMatch(/cannot be read: ENOENT/);
});

test("moved, missing or repeated chunks are detected, even if each is intact", async () => {
  const bytes = readFileSync(file);
  expect(Math.ceil((size - headBytes) / chunkBytes)).toBe(5);
  const chunk = (n: number) =>
    bytes.subarray(headBytes + n * chunkBytes, Math.min(size, headBytes + (n + 1) * chunkBytes));
  for (const [name, order] of [
    ["swapped", [1, 0, 2, 3, 4]],
    ["without its end", [0, 1, 2, 3]],
    ["without its middle", [0, 2, 3, 4]],
    ["repeated", [0, 0, 1, 2, 3, 4]],
  ] as const) {
    const made = changed(name, () => Buffer.concat([bytes.subarray(0, headBytes), ...order.map(chunk)]));
    expect([name, await problemOf(read(made))]).toEqual([name, expect.stringMatching(/is damaged or truncated/)]);
  }
});

test("a file whose writer stopped between two chunks has no end", async () => {
  const stopped = await written("stopped", [{ kind: "table", content: { name: "a", columns: ["b"] } }]);
  expect(await problemOf(read(stopped))).toMatch(/is damaged or truncated: it has no end$/);
});
