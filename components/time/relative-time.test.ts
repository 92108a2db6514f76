import { expect, test } from "vitest";
import { formatClock, formatExact } from "./relative-time.tsx";

const winter = "2026-01-31T23:30:05.000Z";

test("an exact time is shown in the requested zone", () => {
  expect(formatExact(winter, "UTC")).toBe("31 Jan 2026, 23:30:05");
  expect(formatExact(winter, "Europe/Berlin")).toBe("1 Feb 2026, 00:30:05");
  expect(formatExact("2026-07-01T12:00:00.000Z", "Europe/Berlin")).toBe("1 Jul 2026, 14:00:00");
});

test("the end of a wait has the day if it is not today, and seconds if it is near", () => {
  const now = Date.parse("2026-01-31T22:00:00Z");
  const shown = (at: string, zone: string) => formatClock(Date.parse(at), now, zone);
  expect(shown("2026-01-31T23:30:05Z", "UTC")).toBe("23:30");
  expect(shown("2026-01-31T22:00:45Z", "UTC")).toBe("22:00:45");
  // In Berlin it is 23:00.
  expect(shown("2026-01-31T23:30:05Z", "Europe/Berlin")).toBe("1 Feb, 00:30");
});
