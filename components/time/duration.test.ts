import { expect, test } from "vitest";
import { formatDuration, inWholeUnit, wholeUnit } from "./duration.ts";

test.each([
  [0, "0 ms"],
  [842, "842 ms"],
  [3_214, "3.2 s"],
  [59_949, "59.9 s"],
  [59_950, "1 min 00 s"],
  [64_000, "1 min 04 s"],
  [3_600_000, "1 h 00 min"],
  [7_500_000, "2 h 05 min"],
])("%d milliseconds are said as %s", (ms, expected) => {
  expect(formatDuration(ms)).toBe(expected);
});

test("a duration uses the largest unit without a fraction", () => {
  const texts = [0, 1, 999, 1_000, 1_500, 60_000, 90_000, 5_400_000, 3_600_000, 86_400_000, 172_800_000].map(
    inWholeUnit,
  );
  expect(texts).toEqual([
    ...["0 ms", "1 ms", "999 ms", "1 s", "1500 ms", "1 min"],
    ...["90 s", "90 min", "1 h", "1 d", "2 d"],
  ]);
});

test("anything else stays milliseconds", () => {
  expect([-1_000, 0.5, Number.NaN, Number.POSITIVE_INFINITY].map((ms) => wholeUnit(ms).name)).toEqual(
    Array(4).fill("milliseconds"),
  );
});
