import { expect, test } from "vitest";
import { csvParts } from "./csv-parts.ts";

test("a file is sent in parts, each with its head, and says where its lines were", () => {
  const lines = Array.from({ length: 2_500 }, (_, n) => (n === 1 ? '"two\nlines"' : `row ${n}`));
  const parts = [...csvParts(`name\n${lines.join("\n")}\n`)];
  expect(parts.map(({ rows }) => rows)).toEqual([1_000, 1_000, 500]);
  expect(parts.every(({ text }) => text.startsWith("name\r\n"))).toBe(true);
  expect(parts[0]?.lines.get(3)).toBe(3);
  // After a record of two lines.
  expect(parts[0]?.lines.get(5)).toBe(5);
  expect(parts[1]?.lines.get(2)).toBe(1_003);
});

test("long rows make small parts, and no rows make none", () => {
  const long = Array.from({ length: 10 }, () => "x".repeat(60_000));
  expect([...csvParts(`name\n${long.join("\n")}`)].map(({ rows }) => rows)).toEqual([4, 4, 2]);
  expect([...csvParts("name\n")]).toEqual([]);
  expect([...csvParts("")]).toEqual([]);
});

test("what is no CSV says at which line", () => {
  expect(() => [...csvParts('name\n"open')]).toThrow("line 2: a quoted field has no end");
});
