import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonText } from "#lib/engine/outcome.ts";
import { itemTexts } from "./item-texts.ts";

test("the items of a short list keep their values", async () => {
  const items = [{ id: 1 }, null, "a"];
  expect(await itemTexts(items)).toEqual(items.map((item) => jsonText(item)));
  expect(await itemTexts([])).toEqual([]);
});

test("those of a long one are parsed when they are read", async () => {
  const items = Array.from({ length: 2_000 }, (_, id) => ({ id }));
  const texts = await itemTexts(items);
  expect(texts[7]?.value).toEqual({ id: 7 });
  expect(texts[7]?.value).not.toBe(items[7]);
});

test("every item of a long list has its own text, whatever is in it", async () => {
  const long = "x".repeat(20_000);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), async (items) => {
      const texts = await itemTexts([...items, long]);
      expect(texts.map(({ json }) => json)).toEqual([...items, long].map((item) => JSON.stringify(item)));
    }),
  );
});
