// A large value serializes to the same as with `JSON.stringify`.
import { expect, test } from "vitest";
import { parseJsonInTurns, TooDeep } from "./parse-json.ts";
import { writeJsonInTurns } from "./write-json.ts";

const levelsMax = 64;
/** Forces writing in chunks. */
const large = Number.POSITIVE_INFINITY;
const long = "ü\n".repeat(30_000);

test.each([
  [[]],
  [{}],
  [null],
  [undefined],
  ["text"],
  [[undefined, () => 1, null, [undefined]]],
  [{ a: undefined, b: 1, c: () => 1, d: { e: undefined } }],
  [{ a: undefined }],
  [{ [long]: long, "": { [long]: [long, { a: long }] } }],
  [JSON.parse('{"__proto__":{"a":[1]},"2":1,"1":2}')],
  [Array.from({ length: 30_000 }, (_, index) => ({ id: index, tags: [`${index}`], at: {} }))],
  [Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`k${index}`, index]))],
  [[[[[[long, 1], 2], 3], 4], 5]],
])("value %#", async (value) => {
  const json = JSON.stringify(value) ?? "null";
  expect(await writeJsonInTurns(value, large, levelsMax)).toBe(json);
  expect(await writeJsonInTurns(value, json.length, levelsMax)).toBe(json);
});

test("nesting is counted in large and small parts", async () => {
  const nested = (levels: number, inner: unknown) => {
    let value = inner;
    for (let level = 0; level < levels; level += 1) value = [value, "x"];
    return value;
  };
  for (const inner of ["short", long]) {
    const value = nested(levelsMax, inner);
    expect(await writeJsonInTurns(value, large, levelsMax)).toBe(JSON.stringify(value));
    await expect(writeJsonInTurns(nested(levelsMax + 1, inner), large, levelsMax)).rejects.toThrow(TooDeep);
    await expect(writeJsonInTurns(nested(50_000, inner), large, levelsMax)).rejects.toThrow(TooDeep);
    expect(() => writeJsonInTurns(nested(50_000, inner), 1, levelsMax)).toThrow(TooDeep);
  }
});

test("a large value is written before others are parsed: all of them would be in memory first", async () => {
  const text = `[${"1,".repeat(300_000)}1]`;
  const order: string[] = [];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const value = { parsed: await parseJsonInTurns(text, 10) };
      order.push("parsed");
      await writeJsonInTurns(value, text.length, 10);
      order.push("written");
    }),
  );
  const ahead = order.map((_, at) =>
    order.slice(0, at + 1).reduce((sum, step) => sum + (step === "parsed" ? 1 : -1), 0),
  );
  expect(Math.max(...ahead)).toBeLessThan(6);
});
