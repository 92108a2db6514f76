import { expect, test } from "vitest";
import { formatDuration } from "./duration.ts";

test.each([
  [0, "0 ms"],
  [842, "842 ms"],
  [3_214, "3.2 s"],
  [59_949, "59.9 s"],
  [59_950, "1 min 00 s"],
  [64_000, "1 min 04 s"],
  [3_600_000, "1 h 00 min"],
  [7_500_000, "2 h 05 min"],
])("%d milliseconds are said as %s", (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});
