import { expect, test } from "vitest";
import { inWholeUnit, wholeUnit } from "./duration-unit.ts";

test("a duration is shown in the largest unit that leaves no fraction", () => {
  const told = [0, 1, 999, 1_000, 1_500, 60_000, 90_000, 5_400_000, 3_600_000, 86_400_000, 172_800_000].map(
    inWholeUnit,
  );
  expect(told).toEqual([
    ...["0 ms", "1 ms", "999 ms", "1 s", "1500 ms", "1 min"],
    ...["90 s", "90 min", "1 h", "1 d", "2 d"],
  ]);
});

test("what is no duration stays milliseconds", () => {
  expect([-1_000, 0.5, Number.NaN, Number.POSITIVE_INFINITY].map((ms) => wholeUnit(ms).name)).toEqual(
    Array(4).fill("milliseconds"),
  );
});
