// Files are stored in full or not at all, within their limits, wherever a process, a connection or an upload breaks.
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CuttingProxy, cuttingProxy } from "#e2e/support/cutting-proxy.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { inTransaction, queryPlanned } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { beginIncoming } from "./charge.ts";
import { deleteFiles } from "./delete-files.ts";
import { filesIn, forgetFiles, noteFiles } from "./references.ts";
import { saveFile } from "./save-file.ts";
import { storableName, storableType } from "./stored-file.ts";
import { finishFiles, sweepFiles } from "./sweep-files.ts";
import { findFile, findNamedFile, listFiles, openFile, readFileBytes } from "./use-files.ts";

const kib = 1_024;
const roomBytes = 4_000 * kib;
const dataDir = mkdtempSync(join(tmpdir(), "files-"));
Object.assign(process.env, {
  DATA_DIR: dataDir,
  FILES_INLINE_MAX: String(64 * kib),
  FILE_MAX_BYTES: String(1_000 * kib),
  FILES_MAX_BYTES: String(roomBytes),
});

let proxy: CuttingProxy;
let workspaceId: string;
inOwnDatabase();
beforeAll(async () => {
  proxy = await cuttingProxy(process.env.DATABASE_URL ?? "");
  process.env.DATABASE_URL = proxy.url;
});
afterAll(() => proxy?.close());
beforeEach(async () => {
  ({ workspaceId } = await newActor());
});

async function* inParts(bytes: Buffer, partBytes = 50_000): AsyncGenerator<Buffer> {
  for (let index = 0; index < bytes.length; index += partBytes) yield bytes.subarray(index, index + partBytes);
}

const save = (bytes: Buffer, options: object = {}) =>
  saveFile(workspaceId, { name: "a.bin", contentType: "image/png", bytes: inParts(bytes), ...options });
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error & { code?: string }) => `${error.code} ${error.message}`,
  );
async function used(): Promise<number> {
  const [row] = await queryPlanned<{ bytes: number }>(
    "SELECT bytes::float8 AS bytes FROM file_usage WHERE workspace_id = $1",
    [workspaceId],
  );
  return row?.bytes ?? 0;
}
const rows = () => queryPlanned("SELECT id, state, place FROM file WHERE workspace_id = $1 ORDER BY id", [workspaceId]);
const filesOnDisk = () =>
  readdirSync(join(dataDir, "files"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
const pathOf = (id: string) => join(dataDir, "files", id.slice(-2), id);

describe("a file", () => {
  test.each([
    ["empty", 0, "database"],
    ["small", 3, "database"],
    ["as large as the database takes", 64 * kib, "database"],
    ["larger than that", 64 * kib + 1, "disk"],
    ["as large as may be", 1_000 * kib, "disk"],
  ])("that is %s comes back as it was", async (_, size, place) => {
    const bytes = randomBytes(size);
    const reference = await save(bytes);
    expect(reference).toEqual({
      file: expect.stringMatching(/^file_/),
      name: "a.bin",
      contentType: "image/png",
      size,
      sha256: hashOf(bytes),
    });
    const file = await findFile(workspaceId, reference.file);
    expect(file).toMatchObject({ ...reference, place });
    expect((await readFileBytes(file)).equals(bytes)).toBe(true);
    expect(await used()).toBe(size);
    expect(await deleteFiles(workspaceId, [reference.file])).toEqual([reference.file]);
    expect(await used()).toBe(0);
    expect(await rows()).toEqual([]);
    expect(existsSync(pathOf(reference.file))).toBe(false);
  });

  test.each([1_000, 200_000])("of %i bytes returns any range of its bytes", async (size) => {
    const bytes = randomBytes(size);
    const file = await findFile(workspaceId, (await save(bytes)).file);
    for (const [first, last] of [
      [0, 0],
      [size - 1, size - 1],
      [10, 900],
      [0, size - 1],
    ] as const) {
      const parts: Buffer[] = [];
      for await (const part of await openFile(file, { first, last })) parts.push(part);
      expect(Buffer.concat(parts).equals(bytes.subarray(first, last + 1))).toBe(true);
    }
  });

  test("is visible to its workspace only", async () => {
    const { file } = await save(Buffer.from("mine"));
    const other = await newActor();
    expect(await problemOf(findFile(other.workspaceId, file))).toBe("NOT_FOUND File not found");
    expect(await deleteFiles(other.workspaceId, [file])).toEqual([]);
    expect(await findFile(workspaceId, file)).toMatchObject({ name: "a.bin" });
    expect(await problemOf(findFile(workspaceId, "file_nonsense\u0000"))).toBe("NOT_FOUND File not found");
  });

  test("is found by name, newest first, and listed by a prefix", async () => {
    await save(Buffer.from("1"), { name: "reports/a.txt" });
    const second = await save(Buffer.from("2"), { name: "reports/a.txt" });
    await save(Buffer.from("3"), { name: "reports/b%.txt" });
    await save(Buffer.from("4"), { name: "other" });
    expect(await findNamedFile(workspaceId, "reports/a.txt")).toMatchObject(second);
    expect(await findNamedFile(workspaceId, "reports/c.txt")).toBeNull();
    const names = async (prefix: string, limit = 10) =>
      (await listFiles(workspaceId, prefix, limit)).map(({ name }) => name);
    expect(await names("reports/")).toEqual(["reports/a.txt", "reports/a.txt", "reports/b%.txt"]);
    expect(await names("reports/b%")).toEqual(["reports/b%.txt"]);
    expect(await names("", 1)).toEqual(["other"]);
  });

  test("has a one-line name and a media type, whatever was sent", () => {
    expect(storableName("a\u0000b\r\nc\ud800.txt")).toMatch(/^a.b {2}c.\.txt$/);
    expect(storableName("  ")).toBe("file");
    expect(storableName(undefined)).toBe("file");
    expect(storableName("😀".repeat(200))).toHaveLength(254);
    expect(storableType("text/csv; charset=utf-8")).toBe("text/csv; charset=utf-8");
    for (const wrong of ["text", "text/html\r\nx: y", "", `a/${"b".repeat(300)}`, null]) {
      expect(storableType(wrong)).toBe("application/octet-stream");
    }
  });
});

test("no file has a name that the database cannot store", async () => {
  await save(Buffer.from("a"), { name: "a\u0000b" });
  expect(await findNamedFile(workspaceId, "a\u0000b")).toBeNull();
  expect(await listFiles(workspaceId, "a\u0000", 10)).toEqual([]);
});

describe("a file over a limit", () => {
  test("is refused by its Content-Length, before a byte is read", async () => {
    let isRead = false;
    async function* never() {
      isRead = true;
      yield Buffer.alloc(1);
    }
    const saving = save(Buffer.alloc(0), { bytes: never(), bytesExpected: 1_000 * kib + 1 });
    expect(await problemOf(saving)).toBe("PAYLOAD_TOO_LARGE The file is over the limit of 1024000 bytes");
    expect(isRead).toBe(false);
  });

  test("is abandoned when it passes the limit, and leaves nothing", async () => {
    expect(await problemOf(save(randomBytes(1_000 * kib + 1)))).toMatch(/^PAYLOAD_TOO_LARGE/);
    expect(await problemOf(save(Buffer.alloc(200_000), { bytesMax: 100_000 }))).toMatch(/^PAYLOAD_TOO_LARGE/);
    expect([await rows(), await used()]).toEqual([[], 0]);
    expect(filesOnDisk().filter((name) => existsSync(join(dataDir, "files/incoming", name)))).toEqual([]);
  });

  test("is not stored, however many uploads run at once", async () => {
    const fileBytes = 700 * kib;
    const all = await Promise.all(Array.from({ length: 10 }, () => problemOf(save(randomBytes(fileBytes)))));
    const stored = all.filter((problem) => problem === undefined).length;
    expect(stored).toBeGreaterThan(0);
    expect(all.filter((problem) => problem !== undefined).every((problem) => /has no room/.test(problem ?? ""))).toBe(
      true,
    );
    expect(stored * fileBytes).toBeLessThanOrEqual(roomBytes);
    expect(await used()).toBe(stored * fileBytes);
    expect(await rows()).toHaveLength(stored);
  });
});

describe("what breaks", () => {
  test("an upload that its sender abandons leaves nothing", async () => {
    async function* broken() {
      yield Buffer.alloc(100 * kib);
      throw new Error("the sender has left");
    }
    expect(await problemOf(save(Buffer.alloc(0), { bytes: broken() }))).toBe("undefined the sender has left");
    expect([await rows(), await used()]).toEqual([[], 0]);
  });

  test("the remains of a killed process's upload are removed, and its charge refunded", async () => {
    const id = newId("file");
    await beginIncoming(workspaceId, id, "disk", 8_000);
    const upload = join(dataDir, "files/incoming", id);
    await mkdir(join(dataDir, "files/incoming"), { recursive: true });
    writeFileSync(upload, "half");
    await finishFiles();
    expect([await rows(), existsSync(upload), await used()]).toMatchObject([[{ state: "incoming" }], true, 8_000]);
    await queryPlanned("UPDATE file SET touched_at = now() - interval '20 minutes' WHERE id = $1", [id]);
    utimesSync(upload, new Date(0), new Date(0));
    expect(await finishFiles()).toBe(2);
    expect([await rows(), existsSync(upload), await used()]).toEqual([[], false, 0]);
  });

  test("an interrupted deletion is finished", async () => {
    const { file } = await save(randomBytes(100 * kib));
    await queryPlanned("UPDATE file SET state = 'removed', touched_at = now() - interval '1 hour' WHERE id = $1", [
      file,
    ]);
    expect(await problemOf(findFile(workspaceId, file))).toMatch(/^NOT_FOUND/);
    await finishFiles();
    expect([await rows(), existsSync(pathOf(file))]).toEqual([[], false]);
  });

  test("a file whose bytes cannot be removed keeps no other from being removed", async () => {
    const [stuck, free] = [await save(randomBytes(100 * kib)), await save(randomBytes(100 * kib))];
    const age = "UPDATE file SET state = 'removed', touched_at = now() - $2::interval WHERE id = $1";
    await queryPlanned(age, [stuck.file, "2 hours"]);
    await queryPlanned(age, [free.file, "1 hour"]);
    // A folder in its place: unlinking it fails.
    const bytes = pathOf(stuck.file);
    renameSync(bytes, `${bytes}.kept`);
    await mkdir(bytes);
    await finishFiles();
    expect(await rows()).toMatchObject([{ id: stuck.file, state: "removed" }]);
    expect(existsSync(pathOf(free.file))).toBe(false);
    await rm(bytes, { recursive: true });
    renameSync(`${bytes}.kept`, bytes);
    await queryPlanned(age, [stuck.file, "1 hour"]);
    await finishFiles();
    expect([await rows(), existsSync(bytes)]).toEqual([[], false]);
  });

  test("a deletion waits for a run that is about to name the file", async () => {
    const { file } = await save(Buffer.from("named"));
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const naming = inTransaction(async (run) => {
      await noteFiles({ kind: "row", id: "tbl_x/row_y", workspaceId }, new Set([file]), run);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    const deleting = deleteFiles(workspaceId, [file]);
    await expect
      .poll(() => queryPlanned("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'", []))
      .toHaveLength(1);
    released.resolve();
    await naming;
    expect(await deleting).toEqual([file]);
  });

  test("without the database nothing is stored, and the remains are swept", async () => {
    const bytes = randomBytes(300 * kib);
    proxy.arm(0);
    await save(bytes);
    const statements = proxy.disarm();
    expect(statements).toBeGreaterThan(1);
    const before = (await rows()).length;
    for (const side of ["before", "after"] as const) {
      for (let index = 1; index <= statements; index += 1) {
        proxy.arm(index, side, { forGood: true });
        const problem = await problemOf(save(bytes));
        proxy.disarm();
        expect([side, index, problem]).toEqual([side, index, expect.stringMatching(/^SERVICE_UNAVAILABLE/)]);
      }
    }
    await queryPlanned("UPDATE file SET touched_at = now() - interval '1 hour' WHERE state <> 'stored'", []);
    await finishFiles();
    const left = await rows();
    // The last statement's acknowledgement was lost: the file is stored, but the sender does not know.
    expect(left.map(({ state }) => state)).toEqual(Array.from({ length: before + 1 }, () => "stored"));
    expect(await used()).toBe(left.length * bytes.length);
  });

  test("bytes that are on another server are reported as unavailable", async () => {
    const { file } = await save(randomBytes(100 * kib));
    renameSync(pathOf(file), join(dataDir, "elsewhere"));
    expect(await problemOf(openFile(await findFile(workspaceId, file)))).toMatch(
      /^SERVICE_UNAVAILABLE The file's bytes are not on this server/,
    );
  });
});

describe("references to a file", () => {
  const age = (id: string) =>
    queryPlanned("UPDATE file SET touched_at = now() - interval '40 days' WHERE id = $1", [id]);
  const ageReferences = () => queryPlanned("UPDATE file_reference SET created_at = now() - interval '2 hours'", []);
  const isThere = async (id: string) => (await problemOf(findFile(workspaceId, id))) === undefined;

  test("are found wherever a text names it", () => {
    const [first, second] = [newId("file"), newId("file")];
    const text = JSON.stringify({ a: [{ file: first }, `see ${second}.`], b: "file_", c: "file_zzz", d: first });
    expect([...filesIn(text)]).toEqual([first, second]);
    expect(filesIn("file_".repeat(100_000)).size).toBe(0);
    expect(filesIn(Array.from({ length: 10_500 }, () => newId("file")).join()).size).toBe(10_000);
  });

  test("keep it; without any, it is removed after the time that runs are kept", async () => {
    const [referenced, young, old] = [
      await save(Buffer.from("1")),
      await save(Buffer.from("2")),
      await save(randomBytes(99_999)),
    ];
    const row = { kind: "row", id: "tbl_x/row_x", workspaceId } as const;
    await noteFiles(row, new Set([referenced.file]));
    for (const { file } of [referenced, old]) await age(file);
    await sweepFiles(undefined);
    expect(await isThere(old.file)).toBe(true);
    expect(await sweepFiles(30)).toBe(1);
    expect([await isThere(referenced.file), await isThere(young.file), await isThere(old.file)]).toEqual([
      true,
      true,
      false,
    ]);
    // The row was never stored: its reference is removed after an hour, and the file's time starts over.
    await ageReferences();
    expect(await sweepFiles(30)).toBe(0);
    await age(referenced.file);
    expect(await sweepFiles(30)).toBe(1);
  });

  test("count only in their own workspace", async () => {
    const { file } = await save(Buffer.from("1"));
    const other = await newActor();
    await noteFiles({ kind: "run", id: "exec_x", workspaceId: other.workspaceId }, new Set([file]));
    expect(await queryPlanned("SELECT 1 FROM file_reference WHERE file_id = $1", [file])).toEqual([]);
  });

  test("are removed when the owner names other files", async () => {
    const [first, second] = [await save(Buffer.from("1")), await save(Buffer.from("2"))];
    const owner = { kind: "test", id: "test_x", workspaceId } as const;
    await noteFiles(owner, new Set([first.file, second.file]));
    await forgetFiles("test", "test_x", new Set([second.file]));
    const left = await queryPlanned("SELECT file_id FROM file_reference WHERE owner_id = 'test_x'", []);
    expect(left).toEqual([{ file_id: second.file }]);
  });
});
