// Files in a bucket, on a server that checks signatures and hashes as S3 does.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bucketKeys, type FakeBucket, startFakeBucket } from "#e2e/support/fake-bucket.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { deleteFiles } from "./delete-files.ts";
import { saveFile } from "./save-file.ts";
import { findFile, openFile, readFileBytes } from "./use-files.ts";

const dataDir = mkdtempSync(join(tmpdir(), "files-"));
let bucket: FakeBucket;
let workspaceId: string;
inOwnDatabase();
beforeAll(async () => {
  bucket = await startFakeBucket();
  Object.assign(process.env, {
    DATA_DIR: dataDir,
    FILES_INLINE_MAX: "1000",
    FILES_S3_BUCKET: "flows",
    FILES_S3_ENDPOINT: bucket.endpoint,
    FILES_S3_PREFIX: "some/folder",
    FILES_S3_REGION: "eu-central-1",
    FILES_S3_ACCESS_KEY_ID: bucketKeys.id,
    FILES_S3_SECRET_ACCESS_KEY: bucketKeys.secret,
  });
  ({ workspaceId } = await newActor());
});
afterAll(() => bucket?.close());

async function* inParts(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let index = 0; index < bytes.length; index += 65_536) yield bytes.subarray(index, index + 65_536);
}
const save = (bytes: Buffer) =>
  saveFile(workspaceId, { name: "ü.bin", contentType: "text/plain", bytes: inParts(bytes) });

test("a large file is stored in the bucket, read from it in full or in part, and deleted from it", async () => {
  const bytes = randomBytes(700_000);
  const { file: id } = await save(bytes);
  expect([...bucket.objects.keys()]).toEqual([`/flows/some/folder/${id.slice(-2)}/${id}`]);
  const file = await findFile(workspaceId, id);
  expect(file.place).toBe("bucket");
  expect((await readFileBytes(file)).equals(bytes)).toBe(true);
  const parts: Buffer[] = [];
  for await (const part of await openFile(file, { first: 100_000, last: 100_009 })) parts.push(part);
  expect(Buffer.concat(parts).equals(bytes.subarray(100_000, 100_010))).toBe(true);
  await deleteFiles(workspaceId, [id]);
  expect(bucket.objects.size).toBe(0);
  expect(bucket.refused).toEqual([]);
  expect(readdirSync(join(dataDir, "files/incoming"))).toEqual([]);
});

test("a bucket that is briefly unavailable is retried; one that stays unavailable is reported", async () => {
  const bytes = randomBytes(5_000);
  bucket.fail(503, 2);
  const { file } = await save(bytes);
  expect((await readFileBytes(await findFile(workspaceId, file))).equals(bytes)).toBe(true);
  bucket.fail(503, 3);
  await expect(save(bytes)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  bucket.fail(403, 1);
  await expect(save(bytes)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  bucket.fail(404, 1);
  await expect(openFile(await findFile(workspaceId, file))).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(bucket.objects.size).toBe(1);
});
