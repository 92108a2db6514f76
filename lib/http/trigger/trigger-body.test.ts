import { describe, expect, test } from "vitest";
import { AppError } from "#lib/errors.ts";
import { triggerBody, valuesByName } from "./trigger-body.ts";

const body = async (text: string | Buffer, type: string | null) => await triggerBody(Buffer.from(text), type);

describe("only the content type decides", () => {
  test.each<[string | null, string | Buffer, unknown]>([
    [null, '{"a":1}', { a: 1 }],
    ["application/json", "[1,2]", [1, 2]],
    ["application/json; charset=utf-8", '"text"', "text"],
    ["APPLICATION/JSON", "null", null],
    ["application/vnd.api+json", "3", 3],
    ["application/json", "", {}],
    [null, "", {}],
    ["text/plain", '{"a":1}', '{"a":1}'],
    ["text/html;charset=utf-8", "ünï", "ünï"],
    ["text/plain", "", ""],
    ["text/plain; charset=ISO-8859-1", Buffer.from([0xe9]), "é"],
    ['text/plain;format=flowed;charset="windows-1252"', Buffer.from([0x80]), "€"],
    [
      "application/x-www-form-urlencoded",
      "a=1&b=two+words&a=2&c=%C3%BC&d",
      { a: ["1", "2"], b: "two words", c: "ü", d: "" },
    ],
    ["application/octet-stream", "abc", "YWJj"],
    ["application/xml", "<a/>", "PGEvPg=="],
    ["application/jsonp", "{}", "e30="],
    ["multipart/form-data; boundary=x", "", {}],
    ["", "abc", "YWJj"],
  ])("%s: %s", async (type, text, value) => {
    expect(await body(text, type)).toEqual(value);
  });

  test("bytes of other types pass through unchanged", async () => {
    const bytes = Buffer.from([0, 255, 128, 10]);
    expect(Buffer.from(String(await body(bytes, "image/png")), "base64").equals(bytes)).toBe(true);
  });
});

describe("unreadable bodies are client errors", () => {
  test.each<[string, string | Buffer]>([
    ["application/json", "{a:1}"],
    ["application/json", Buffer.from([0x22, 0xff, 0x22])],
    ["application/json", `${"[".repeat(65)}${"]".repeat(65)}`],
    ["text/plain", Buffer.from([0xc3])],
    ["text/plain; charset=x-unknown", "a"],
  ])("%s: %j", async (type, text) => {
    await expect(body(text, type)).rejects.toThrow(AppError);
  });

  test("64 levels are accepted", async () => {
    await expect(body(`${"[".repeat(64)}${"]".repeat(64)}`, null)).resolves.toBeInstanceOf(Array);
  });
});

describe("names and values", () => {
  test("a name that every object has is data", () => {
    const values = valuesByName(new URLSearchParams("__proto__=1&constructor=2&__proto__=3"));
    expect(JSON.stringify(values)).toBe('{"__proto__":["1","3"],"constructor":"2"}');
  });

  test("a form's fields are parsed like a query's", async () => {
    for (const text of ["a=1&a=2&&b=x+y&=z&c", "%41=%C3%BC&b=%zz&c=%ff&d=a=b", "__proto__=1&__proto__=2&toString"]) {
      expect(JSON.parse(JSON.stringify(await body(text, "application/x-www-form-urlencoded")))).toEqual(
        JSON.parse(JSON.stringify(valuesByName(new URLSearchParams(text)))),
      );
    }
  });

  test("half a million repetitions of one name are parsed in one pass", async () => {
    const before = process.cpuUsage();
    const { a } = (await body("a&".repeat(500_000), "application/x-www-form-urlencoded")) as { a: string[] };
    expect(a).toHaveLength(500_000);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_500);
  });

  test("a megabyte of names is parsed in linear time", async () => {
    const text = Array.from({ length: 150_000 }, (_, index) => index.toString(36)).join("&");
    const before = process.cpuUsage();
    expect(Object.keys((await body(text, "application/x-www-form-urlencoded")) as object)).toHaveLength(150_000);
    // Quadratic work in the number of names would take minutes.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
  });
});
