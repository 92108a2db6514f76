import { expect, test } from "vitest";
import { formatExact } from "./relative-time.tsx";

const winter = "2026-01-31T23:30:05.000Z";

test("an exact time is shown in the requested zone", () => {
  expect(formatExact(winter, "UTC")).toBe("31 Jan 2026, 23:30:05");
  expect(formatExact(winter, "Europe/Berlin")).toBe("1 Feb 2026, 00:30:05");
  expect(formatExact("2026-07-01T12:00:00.000Z", "Europe/Berlin")).toBe("1 Jul 2026, 14:00:00");
});
