import { expect, test } from "vitest";
import { authorOf, groupSaves } from "./history-panel.tsx";

test("a version names its author, even after they left the workspace", () => {
  expect(authorOf({ createdBy: "user_1", createdByName: "Ada" })).toBe("Ada");
  expect(authorOf({ createdBy: "user_1", createdByName: null })).toBe("a former member");
  expect(authorOf({ createdBy: "key_1" })).toBe("a deleted API key");
  expect(authorOf({ createdBy: null, createdByName: null })).toBeNull();
});

const saved = (minute: number, more: object = {}) => ({
  version: minute + 1,
  createdAt: new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString(),
  createdBy: "user_1",
  isCurrent: false,
  ...more,
});
const grouped = (...items: ReturnType<typeof saved>[]) =>
  groupSaves(items.toReversed()).map((group) => group.map(({ version }) => version - 1));

test("what one person saves without a rest is one entry, which begins with the newest", () => {
  expect(grouped(saved(0), saved(10), saved(20))).toEqual([[20, 10, 0]]);
  expect(grouped()).toEqual([]);
});

test("a rest, or somebody else's save, begins another entry", () => {
  expect(grouped(saved(0), saved(1), saved(30), saved(31))).toEqual([
    [31, 30],
    [1, 0],
  ]);
  expect(grouped(saved(0), saved(1, { createdBy: "user_2" }), saved(2))).toEqual([[2], [1], [0]]);
});

test("a version with a name, one that was live, and the current one are not hidden below later ones", () => {
  expect(grouped(saved(0), saved(1, { liveAt: "2026-01-01T12:01:00.000Z" }), saved(2))).toEqual([[2], [1, 0]]);
  expect(grouped(saved(0), saved(1, { name: "Before the sale" }), saved(2))).toEqual([[2], [1, 0]]);
  expect(grouped(saved(0), saved(1, { isCurrent: true }), saved(2))).toEqual([[2], [1, 0]]);
});
