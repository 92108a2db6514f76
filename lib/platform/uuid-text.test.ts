import { fromString, toUUID } from "typeid-js";
import { expect, test } from "vitest";
import { newUuidText } from "./ids.ts";

const uuidOf = (text: string) => toUUID(fromString(`t_${text}`));

test("a UUID of version 7 starts with the time", () => {
  const nowMs = Date.now() + 1_000;
  const uuid = uuidOf(newUuidText(nowMs));
  expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16)).toBe(nowMs);
});

test("10,000 of one millisecond are unique and sort as created, even when the clock is set back", () => {
  const nowMs = Date.now() + 2_000;
  const made = Array.from({ length: 10_000 }, (_, index) => newUuidText(nowMs - (index % 3)));
  expect(new Set(made).size).toBe(made.length);
  expect(made.toSorted()).toEqual(made);
});
