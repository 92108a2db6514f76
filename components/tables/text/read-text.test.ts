import { expect, test } from "vitest";
import { encodings, readText } from "./csv-parts.ts";

const read = (bytes: readonly number[] | string, encoding = "") =>
  readText(new Blob([typeof bytes === "string" ? bytes : new Uint8Array(bytes)]), encoding);

test("UTF-8 is read as it is, without its byte order mark", async () => {
  expect(await read("név\nŐze")).toBe("név\nŐze");
  expect(await read([0xef, 0xbb, 0xbf, 0x61])).toBe("a");
  expect(await read("")).toBe("");
});

test("UTF-16 is recognized by its byte order mark", async () => {
  expect(await read([0xff, 0xfe, 0xe9, 0x00])).toBe("é");
  expect(await read([0xfe, 0xff, 0x00, 0xe9])).toBe("é");
  expect(await read([0xff, 0xfe, 0xe9])).toBeNull();
});

test("other encodings are not mistaken for UTF-8, and read as what they are", async () => {
  const windows = [0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72, 0x20, 0x80];
  expect(await read(windows)).toBeNull();
  expect(await read(windows, "windows-1252")).toBe("Müller €");
  for (const { value } of encodings) expect(await read("plain", value)).toBe("plain");
});

test("a character that ends in another piece of a large file is kept whole", async () => {
  const text = `${"a".repeat(1_048_575)}é`;
  expect(await read(text)).toBe(text);
});
