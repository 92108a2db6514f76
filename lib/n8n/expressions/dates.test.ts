import { expect, test } from "vitest";
import { between, moved, startOf } from "./dates.ts";

test.each(["constructor", "toString", "fortnights"])("no date is moved by the unlikely unit %s", (unit) => {
  expect(() => moved("date", "+", "1", unit)).toThrow("unit of time");
  expect(() => startOf("date", unit)).toThrow("the start of a");
  expect(() => between("one", "other", unit)).toThrow("a time between dates");
});
