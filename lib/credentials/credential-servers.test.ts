import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const needed = {
  DATA_DIR: "/data",
  DATABASE_URL: "postgresql://localhost/none",
  AUTH_SECRET: "x".repeat(44),
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
};

/** With these settings. */
async function fileWith(settings: Readonly<Record<string, string>>, data: Readonly<Record<string, string>>) {
  vi.resetModules();
  for (const [name, value] of Object.entries({ ...needed, ...settings })) vi.stubEnv(name, value);
  return (await import("./credential-servers.ts")).sqliteFileOf("wsp_1", data);
}

test("a SQLite file is in its workspace's folder, and must exist unless it may be created", async () => {
  const folder = "/data/files/databases/wsp_1";
  const file = { kind: "sqlite", folder, file: "a/b.db" };
  expect(await fileWith({}, { file: "a/b.db" })).toMatchObject({ ...file, access: "write" });
  expect(await fileWith({}, { file: "a/b.db", access: "create" })).toMatchObject({ ...file, access: "create" });
});

test("SQLite is refused with a reason if files are in a bucket", async () => {
  const bucket = { FILES_S3_BUCKET: "flows", FILES_S3_ACCESS_KEY_ID: "id", FILES_S3_SECRET_ACCESS_KEY: "secret-key" };
  await expect(fileWith(bucket, { file: "a.db" })).rejects.toMatchObject({
    code: "SQL_FILE",
    message: expect.stringContaining("needs a disk"),
  });
});
