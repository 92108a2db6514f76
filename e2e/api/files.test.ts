// Files over HTTP: what is uploaded comes back byte for byte, whole or in part, to its own workspace alone.
import { createHash, randomBytes } from "node:crypto";
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { apiKey, baseUrl } from "#e2e/support/address.ts";
import { call, del, get, post, send } from "#e2e/support/api-client.ts";
import { newTenant } from "#e2e/support/matrix/own-resources.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

inOwnWorkspace("Files");

interface Reference {
  readonly file: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
}

async function upload(bytes: Buffer | string, path = "/files?name=a.bin", type = "application/octet-stream") {
  const answer = await send<Reference>("POST", path, bytes as BodyInit, { headers: { "content-type": type } });
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}
async function download(id: string, headers: Record<string, string> = {}, method = "GET") {
  const answer = await fetch(`${baseUrl()}/api/v1/files/${id}`, {
    method,
    headers: { authorization: `Bearer ${apiKey()}`, ...headers },
  });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

describe("a file", () => {
  // Proves files.upload
  it.each([0, 5, 200_000, 3_000_000])(
    "of %i bytes is uploaded and comes back with its length and hash",
    async (size) => {
      const bytes = randomBytes(size);
      const reference = await upload(bytes, "/files?name=photo.png", "image/png");
      expect(reference).toEqual({
        file: expect.stringMatching(/^file_[0-9a-z]{26}$/),
        name: "photo.png",
        contentType: "image/png",
        size,
        sha256: hashOf(bytes),
      });
      const downloaded = await download(reference.file);
      expect(downloaded.status).toBe(200);
      expect(downloaded.bytes.equals(bytes)).toBe(true);
      expect(Object.fromEntries(downloaded.headers)).toMatchObject({
        "content-length": String(size),
        "content-type": "image/png",
        "content-disposition": "attachment; filename=\"photo.png\"; filename*=UTF-8''photo.png",
        "x-content-type-options": "nosniff",
        "content-security-policy": expect.stringContaining("sandbox"),
        "accept-ranges": "bytes",
        etag: `"${reference.sha256}"`,
        "x-request-id": expect.any(String),
      });
      const head = await download(reference.file, {}, "HEAD");
      expect([head.status, head.headers.get("content-length"), head.bytes.length]).toEqual([200, String(size), 0]);
    },
  );

  // Proves files.upload
  it("is taken from a form", async () => {
    const form = new FormData();
    form.set("note", "with a field");
    form.set("document", new File(["a,b\n1,2\n"], "größe.csv", { type: "text/csv" }));
    const answer = await send<Reference>("POST", "/files", form);
    expect([answer.status, answer.data]).toMatchObject([201, { name: "größe.csv", contentType: "text/csv", size: 8 }]);
    const { bytes, headers } = await download(answer.data.file);
    expect(bytes.toString()).toBe("a,b\n1,2\n");
    expect(headers.get("content-disposition")).toContain("filename*=UTF-8''gr%C3%B6%C3%9Fe.csv");
  });

  // Proves files.ranges
  it("is sent in part, or not at all to who has it", async () => {
    const bytes = randomBytes(500_000);
    const { file, sha256 } = await upload(bytes);
    const part = await download(file, { range: "bytes=1000-300999" });
    expect([part.status, part.headers.get("content-range"), part.headers.get("content-length")]).toEqual([
      206,
      "bytes 1000-300999/500000",
      "300000",
    ]);
    expect(part.bytes.equals(bytes.subarray(1_000, 301_000))).toBe(true);
    const outside = await download(file, { range: "bytes=500000-" });
    expect([outside.status, outside.headers.get("content-range")]).toEqual([416, "bytes */500000"]);
    const known = await download(file, { "if-none-match": `"${sha256}"` });
    expect([known.status, known.bytes.length]).toEqual([304, 0]);
  });

  // Proves files.delete
  it("is deleted at once, and each upload and deletion is in the audit log", async () => {
    const { file } = await upload("gone soon");
    expect((await del(`/files/${file}`)).status).toBe(204);
    expectRefusal(await get(`/files/${file}`), 404, "NOT_FOUND");
    expectRefusal(await del(`/files/${file}`), 404, "NOT_FOUND");
    const log = await get<{ action: string }[]>(`/audit-log?subject=${file}`);
    expect(log.data.map(({ action }) => action)).toEqual(["file.deleted", "file.uploaded"]);
  });

  // Proves files.workspace
  it("is another workspace's neither to read nor to delete", async () => {
    const { file } = await upload("ours");
    const { key } = await newTenant("Others");
    expectRefusal(await get(`/files/${file}`, { key }), 404, "NOT_FOUND");
    expectRefusal(await del(`/files/${file}`, { key }), 404, "NOT_FOUND");
    expect((await download(file)).bytes.toString()).toBe("ours");
  });

  it("is refused to keys without the scopes, before its bytes are read", async () => {
    const { file } = await upload("ours");
    const made = await post<{ key: string }>("/api-keys", { name: "no files", scopes: ["flows:read", "tables:write"] });
    const { key } = made.data;
    expectRefusal(await get(`/files/${file}`, { key }), 403, "FORBIDDEN");
    expectRefusal(await send("POST", "/files", "more", { key }), 403, "FORBIDDEN");
    expectRefusal(await del(`/files/${file}`, { key }), 403, "FORBIDDEN");
    expectRefusal(await send("POST", "/files", "more", { key: null }), 401, "UNAUTHORIZED");
  });
});

describe("what is no file", () => {
  // Proves files.limits
  it("is refused if it is too large, by its Content-Length", async () => {
    const status = await new Promise((resolve, reject) => {
      const uploading = request(`${baseUrl()}/api/v1/files`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey()}`, "content-length": String(200 * 1_048_576) },
      });
      uploading.on("response", (answer) => resolve(answer.statusCode)).on("error", reject);
      uploading.write("the beginning");
    });
    expect(status).toBe(413);
  });

  it("is refused where its form is none", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    expectInvalid(await send("POST", "/files", "--x\r\n", { headers }), "body");
    expectInvalid(await send("POST", "/files", "", { headers: { "content-type": "multipart/form-data" } }), "body");
    expectInvalid(await call("POST", `/files?name=${"x".repeat(1_001)}`, "x"), "name");
    expectInvalid(await call("POST", "/files?name=a&name=b", "x"), "name");
  });

  it("is not found under another id", async () => {
    for (const id of ["file_00000000000000000000000000", "x", "%00", "file_%F0%9F%98%80", "..%2f..%2fetc"]) {
      expect([id, (await download(id)).status]).toEqual([id, 404]);
    }
    expect((await fetch(`${baseUrl()}/api/v1/files`, { method: "PUT" })).status).toBe(405);
  });

  it("is an address that nobody signed, or that was signed for another time", async () => {
    const { file } = await upload("signed");
    for (const query of ["?signature=", "?signature=x&expires=99999999999", "?expires=1&signature=AAAA"]) {
      const answer = await fetch(`${baseUrl()}/api/v1/files/${file}${query}`);
      expect([query, answer.status]).toEqual([query, 404]);
    }
  });
});
