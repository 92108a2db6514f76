import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { AppError } from "#lib/errors.ts";
import { HeldBody } from "./held-bodies.ts";
import { readBytes, readJsonObject, readText, receiveBody } from "./read-body.ts";

Object.assign(process.env, {
  DATABASE_URL: "postgresql://localhost/x",
  AUTH_SECRET: "a".repeat(32),
  ENCRYPTION_KEY: "b".repeat(32),
});

const bytesMax = 100;
const held = () => new HeldBody(new Headers());

function request(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request("http://test/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

const json = (text: string | Uint8Array<ArrayBuffer>, type?: string) =>
  readJsonObject(request(text, { "content-type": type ?? "application/json" }), bytesMax);

async function problemOf(promise: Promise<unknown>): Promise<{ code: string; body: unknown }> {
  const error = await promise.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return { code: error.code, body: error.details?.body };
}

describe("bytes", () => {
  test("the limit is accepted, one more is not", async () => {
    expect(await readBytes(request("x".repeat(bytesMax)), bytesMax, held())).toHaveLength(bytesMax);
    expect(await problemOf(readBytes(request("x".repeat(bytesMax + 1)), bytesMax, held()))).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    });
  });

  test("a declared length over the limit is refused before anything is read", async () => {
    let pulled = 0;
    const count = () => {
      pulled += 1;
    };
    const body = new ReadableStream({ pull: count }, { highWaterMark: 0 });
    const given = { headers: new Headers({ "content-length": "101" }), body };
    expect(await problemOf(readBytes(given, bytesMax, held()))).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(pulled).toBe(0);
  });

  test("a body without a length is abandoned as soon as it exceeds the limit", async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 40;
        controller.enqueue(new Uint8Array(40));
      },
    });
    expect(await problemOf(readBytes(request(body), bytesMax, held()))).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(sent).toBeLessThanOrEqual(200);
  });
});

test("a body in pieces of one byte takes no more memory than any other, and is not joined in one turn", async () => {
  const bytes = 500_000;
  const heapBytes: number[] = [];
  const server = createServer((incoming, response) => {
    void receiveBody(incoming, bytes, held()).then((body) => {
      heapBytes.push(process.memoryUsage().heapUsed);
      response.end(String(body.length));
    });
  });
  server.listen(0);
  await once(server, "listening");
  const before = process.memoryUsage().heapUsed;
  const socket = connect((server.address() as AddressInfo).port);
  const send = async () => {
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (let sent = 0; sent < bytes; sent += 5_000) {
      if (!socket.write("1\r\na\r\n".repeat(5_000))) await once(socket, "drain");
    }
    socket.write("0\r\n\r\n");
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/\r\n\r\n500000$/);
  };
  expect(await longestTurn(send)).toBeLessThan(100);
  // Half a million buffers take 80 MB.
  expect(Number(heapBytes[0]) - before).toBeLessThan(40_000_000);
  socket.destroy();
  server.close();
});

describe("a JSON object", () => {
  test.each<[string, string | undefined]>([
    ['{"a":1}', "application/json"],
    ['{"a":1}', "application/json; charset=UTF-8"],
    ['{"a":1}', "application/merge-patch+json"],
    [' {"a":1}\n', "Application/JSON"],
  ])("%j as %s", async (text, type) => {
    expect(await json(text, type)).toEqual({ a: 1 });
  });

  test("an empty body is an empty object, and a missing type is JSON", async () => {
    expect(await readJsonObject(request(null), bytesMax)).toEqual({});
    expect(await readJsonObject(request(""), bytesMax)).toEqual({});
    expect(await readJsonObject(request(new TextEncoder().encode('{"a":1}')), bytesMax)).toEqual({ a: 1 });
    expect(await json('{"a":1}', "")).toEqual({ a: 1 });
  });

  test("U+0000 and lone surrogates are data", async () => {
    expect(await json('{"a":"\\u0000\\ud800"}')).toEqual({ a: "\u0000\ud800" });
  });

  test.each<[string | Uint8Array<ArrayBuffer>, string | undefined, RegExp]>([
    ["{", undefined, /valid JSON/],
    ["[]", undefined, /JSON object/],
    ["null", undefined, /JSON object/],
    ['"text"', undefined, /JSON object/],
    ["{} {}", undefined, /valid JSON/],
    ["{}", "text/plain", /Content-Type/],
    ["{}", "application/x-www-form-urlencoded", /Content-Type/],
    ["{}", "application/json; charset=latin1", /UTF-8/],
    [new Uint8Array([0x7b, 0xff, 0x7d]), undefined, /UTF-8/],
  ])("%j as %s", async (text, type, message) => {
    const problem = await problemOf(json(text, type));
    expect([problem.code, problem.body]).toEqual(["VALIDATION_ERROR", expect.stringMatching(message)]);
  });

  test("a compressed body is refused as compressed, whatever its bytes", async () => {
    for (const coding of ["gzip", "br", "Deflate", "x-gzip", "identity, zstd"]) {
      const sent = request("{}", { "content-type": "application/json", "content-encoding": coding });
      const problem = await problemOf(readJsonObject(sent, bytesMax));
      expect([problem.code, problem.body]).toEqual(["VALIDATION_ERROR", expect.stringMatching(/compressed/)]);
    }
    for (const coding of ["identity", "utf-8", ""]) {
      const plain = request('{"a":1}', { "content-type": "application/json", "content-encoding": coding });
      expect(await readJsonObject(plain, bytesMax)).toEqual({ a: 1 });
    }
  });

  test("nesting is checked before the body is parsed", async () => {
    const read = (text: string) => readJsonObject(request(text, { "content-type": "application/json" }), 2_000_000);
    const brackets = `{"a":${"[".repeat(500_000)}`;
    // Not valid JSON: parsing it first would report that instead.
    expect((await problemOf(read(brackets))).body).toMatch(/deeper than 64 levels/);
    expect(await read(`{"a":"${"[{".repeat(100)}\\"]}"}`)).toEqual({ a: `${"[{".repeat(100)}"]}` });
  });

  // Proves limits.nesting
  test("65 levels are too deep, 64 are not", async () => {
    const nested = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    const read = (levels: number) =>
      readJsonObject(request(nested(levels), { "content-type": "application/json" }), 1_000);
    expect(await read(64)).toBeDefined();
    expect((await problemOf(read(65))).body).toMatch(/deeper than 64 levels/);
  });
});

describe("text", () => {
  const text = (bytes: readonly number[], type: string) =>
    readText(request(new Uint8Array(bytes), { "content-type": type }), bytesMax);

  test("is read in the charset of its type, UTF-8 by default", async () => {
    expect(await text([0xc3, 0xbc], "text/csv")).toBe("ü");
    expect(await text([0xfc, 0x80], "text/csv; charset=windows-1252")).toBe("ü€");
    expect(await text([0xfc, 0x00], 'text/csv; charset="utf-16le"')).toBe("ü");
  });

  test("that is not in its charset is refused", async () => {
    expect((await problemOf(text([0xfc], "text/csv"))).body).toBe("must be encoded as UTF-8");
    expect((await problemOf(text([0xfc], "text/csv; charset=utf-7"))).body).toBe("must be encoded as utf-7");
  });
});
