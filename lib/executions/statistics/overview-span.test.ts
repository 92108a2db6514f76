import { expect, test } from "vitest";
import { bucketStarts, overviewSpan } from "./read-overview.ts";

const now = new Date("2026-03-10T12:30:00.000Z");
const day = (text: string) => new Date(`2026-03-${text}T00:00:00.000Z`);

test("the default is the last 24 hours by hour, compared with the previous 24", () => {
  const span = overviewSpan({}, now);
  expect(span).toMatchObject({ from: new Date("2026-03-09T12:30:00.000Z"), to: now, bucket: "hour" });
  expect(span.previousFrom).toEqual(new Date("2026-03-08T12:30:00.000Z"));
  const starts = bucketStarts(span);
  expect([starts.length, starts[0], starts.at(-1)]).toEqual([
    25,
    new Date("2026-03-09T12:00:00.000Z"),
    new Date("2026-03-10T12:00:00.000Z"),
  ]);
});

test("longer spans use days unless hours are requested, and always beyond 14 days", () => {
  expect(overviewSpan({ startDate: day("03") }, now).bucket).toBe("day");
  expect(overviewSpan({ startDate: day("03"), bucket: "hour" }, now).bucket).toBe("hour");
  expect(overviewSpan({ startDate: new Date("2026-01-01"), bucket: "hour" }, now).bucket).toBe("day");
});

test("an empty span or one longer than a year is refused", () => {
  expect(() => overviewSpan({ startDate: now, endDate: now }, now)).toThrow("The query is not valid");
  expect(() => overviewSpan({ startDate: new Date("2024-01-01") }, now)).toThrow("The query is not valid");
});
