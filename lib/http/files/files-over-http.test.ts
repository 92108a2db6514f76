// Files over HTTP, without a server: forms, names and ranges.
import { describe, expect, test } from "vitest";
import { dispositionOf, fileAnswer } from "./file-answer.ts";
import { readMultipart } from "./multipart.ts";
import { nameIn, type ReceivedFile, receiveUpload } from "./receive-upload.ts";

const boundary = "b0undary";
const contentType = `multipart/form-data; boundary=${boundary}`;
const part = (head: string, body: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
const end = `--${boundary}--\r\n`;

async function* inParts(text: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let index = 0; index < bytes.length; index += size) yield bytes.subarray(index, index + size);
}
async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of bytes) all.push(chunk);
  return Buffer.concat(all).toString();
}
const limits = { filesMax: 2, fieldBytesMax: 1_000 };
const read = (text: string, type = contentType) =>
  readMultipart(inParts(text), type, limits, async ({ name, bytes }) => ({ name, text: await textOf(bytes) }));

describe("a form", () => {
  test("returns its fields and files in order, however its bytes are split", async () => {
    const text = `${part('name="a"', "1")}${part('name="f"; filename="größe.txt"', "x\r\ny".repeat(99))}${part('name="a"', "ü")}${end}`;
    expect(await read(text)).toEqual([
      ["a", "1"],
      ["f", { name: "größe.txt", text: "x\r\ny".repeat(99) }],
      ["a", "ü"],
    ]);
  });

  test.each([
    ["ends within a file", part('name="f"; filename="a"', "half").slice(0, -3)],
    ["ends within a field", `--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\nhal`],
    ["has another boundary", "--other\r\n\r\n--other--"],
    ["is empty", ""],
    ["has a field without a name", `--${boundary}\r\ncontent-disposition: form-data\r\n\r\n1\r\n${end}`],
    [
      "has a file without a name of its field",
      `${part('filename="a"', "1")}${part('name="f"; filename="a"', "1")}${end}`,
    ],
  ])("that %s is refused", async (_, text) => {
    await expect(read(text)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("without a boundary, or over a limit, is refused", async () => {
    await expect(read(end, "multipart/form-data")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    const file = part('name="f"; filename="a"', "1");
    await expect(read(`${file}${file}${file}${end}`)).rejects.toMatchObject({
      details: { body: "must have at most 2 files" },
    });
    await expect(read(`${part('name="a"', "x".repeat(1_001))}${end}`)).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    });
  });

  test("fails if storing a file fails, and reads no further", async () => {
    let left = 1_000;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(part('name="f"; filename="a"', ""));
      for (; left > 0; left -= 1) yield Buffer.alloc(65_536);
    }
    const refuse = () => Promise.reject(new Error("no room"));
    await expect(readMultipart(endless(), contentType, limits, refuse)).rejects.toThrow("no room");
    expect(left).toBeGreaterThan(900);
  });
});

describe("an upload", () => {
  const received = async (headers: Record<string, string>, body: string, name?: string) =>
    await receiveUpload(
      { header: (headerName) => headers[headerName] ?? null, content: inParts(body), name },
      async ({ bytes, ...file }: ReceivedFile) => ({ ...file, text: await textOf(bytes) }),
    );

  test("is the body, named by the query or its Content-Disposition", async () => {
    const headers = {
      "content-type": "text/csv",
      "content-length": "5",
      "content-disposition": 'attachment; filename="a\\"b.csv"',
    };
    expect(await received(headers, "a,b,c")).toEqual({
      name: 'a"b.csv',
      contentType: "text/csv",
      bytesExpected: 5,
      text: "a,b,c",
    });
    expect(await received(headers, "a,b,c", "mine")).toMatchObject({ name: "mine" });
    expect(nameIn("attachment; filename=x; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt")).toBe("größe.txt");
    expect(nameIn("attachment; filename=plain.txt; filename*=UTF-8''%ff")).toBe("plain.txt");
  });

  test("is the one file of a form", async () => {
    const file = part('name="f"; filename="a.txt"', "hello");
    const headers = { "content-type": contentType };
    expect(await received(headers, `${part('name="x"', "y")}${file}${end}`)).toMatchObject({
      name: "a.txt",
      text: "hello",
    });
    await expect(received(headers, `${part('name="x"', "y")}${end}`)).rejects.toMatchObject({
      details: { body: "must have a file" },
    });
    await expect(received(headers, `${file}${file}${end}`)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });
});

describe("a download", () => {
  const file = { name: "a.txt", contentType: "text/html", size: 10, sha256: "abc" };
  const answered = async (headers: Record<string, string>, size = 10) =>
    await fileAnswer(
      { ...file, size },
      (name) => headers[name] ?? null,
      async (range) => inParts("0123456789".slice(range?.first ?? 0, (range?.last ?? 9) + 1)),
    );

  test.each([
    ["bytes=0-3", "0123", "bytes 0-3/10"],
    ["bytes=4-", "456789", "bytes 4-9/10"],
    ["bytes=-3", "789", "bytes 7-9/10"],
    ["bytes=-99", "0123456789", "bytes 0-9/10"],
    ["bytes=8-99", "89", "bytes 8-9/10"],
    ["bytes=8-99999999999999999999", "89", "bytes 8-9/10"],
    ["bytes=-99999999999999999999", "0123456789", "bytes 0-9/10"],
  ])("of %s is that part", async (range, text, expected) => {
    const { status, headers, bytes } = await answered({ range });
    expect([status, headers["content-range"], headers["content-length"]]).toEqual([206, expected, String(text.length)]);
    expect(await textOf(bytes ?? inParts(""))).toBe(text);
  });

  test.each(["bytes=0-1,4-5", "bytes=5-4", "bytes=-", "lines=1-2", "bytes=x-"])(
    "for %s is the whole file",
    async (range) => {
      expect(await answered({ range })).toMatchObject({ status: 200, headers: { "content-length": "10" } });
    },
  );

  test("for a range outside of it has the file's size", async () => {
    for (const [range, size] of [
      ["bytes=10-", 10],
      ["bytes=-0", 10],
      ["bytes=99999999999999999999-", 10],
      ["bytes=0-0", 0],
    ] as const) {
      const { status, headers, bytes } = await answered({ range }, size);
      expect([status, headers["content-range"], bytes]).toEqual([416, `bytes */${size}`, null]);
    }
  });

  test("is 304 if unchanged, and never a range of another file", async () => {
    for (const tag of ['"abc"', 'W/"abc"', '"x", "abc"', "*"]) {
      expect(await answered({ "if-none-match": tag })).toMatchObject({ status: 304, bytes: null });
    }
    expect((await answered({ range: "bytes=0-1", "if-range": '"other"' })).status).toBe(200);
    expect((await answered({ range: "bytes=0-1", "if-range": '"abc"' })).status).toBe(206);
  });

  test("is never content that a browser would run", async () => {
    expect((await answered({})).headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      "content-disposition": expect.stringMatching(/^attachment;/),
    });
    expect(dispositionOf('a/b "ü".txt')).toBe(
      "attachment; filename=\"b ___.txt\"; filename*=UTF-8''b%20%22%C3%BC%22.txt",
    );
    expect(dispositionOf("a\r\nset-cookie: x")).not.toMatch(/[\r\n]/);
  });
});
