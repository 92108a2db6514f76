import { expect, test } from "vitest";
import { durationInWords } from "./duration.ts";

test.each([
  [0, "0 ms"],
  [842, "842 ms"],
  [999.6, "1000 ms"],
  [1_000, "1 s"],
  [1_552, "1.6 s"],
  [59_949, "59.9 s"],
  [59_950, "1 min"],
  [90_000, "1 min 30 s"],
  [300_000, "5 min"],
  [3_599_499, "59 min 59 s"],
  [3_599_500, "1 h"],
  [3_600_000, "1 h"],
  [5_400_000, "1 h 30 min"],
  [86_400_000, "24 h"],
  [259_200_000, "3 days"],
])("%s ms are %s", (ms, words) => {
  expect(durationInWords(ms)).toBe(words);
});
