import { expect, test } from "vitest";
import { compareCounts, compareDurations, compareRates } from "./figure-tiles.tsx";

test("counts are compared in percent, or by a factor when there are many more", () => {
  expect(compareCounts(110, 100)).toEqual({ text: "10% more", direction: "up" });
  expect(compareCounts(90, 100)).toEqual({ text: "10% fewer", direction: "down" });
  expect(compareCounts(500, 100)).toEqual({ text: "5 times as many", direction: "up" });
  expect(compareCounts(3, 0)).toEqual({ text: "No earlier data", direction: "same" });
  expect(compareCounts(0, 0)).toBeNull();
});

test("rates are compared in points", () => {
  expect(compareRates(98, 99.22)).toEqual({ text: "1.2 points down", direction: "down" });
  expect(compareRates(99, 98)).toEqual({ text: "1 point up", direction: "up" });
  expect(compareRates(98, null)).toEqual({ text: "No earlier data", direction: "same" });
  expect(compareRates(null, 98)).toBeNull();
});

test("durations within the accuracy count as equal", () => {
  expect(compareDurations(105, 100)).toEqual({ text: "Unchanged", direction: "same" });
  expect(compareDurations(1_900, 400)).toEqual({ text: "1.5 s slower", direction: "up" });
  expect(compareDurations(400, 1_900)).toEqual({ text: "1.5 s faster", direction: "down" });
});
