import { z } from "zod";

/** A point in time in answers: ISO 8601 in UTC, to the millisecond. */
export const timestamp = z.iso.datetime().meta({
  id: "Timestamp",
  description: "ISO 8601, in UTC",
  examples: ["2026-01-31T09:30:00.000Z"],
  // `format` implies it.
  pattern: undefined,
});
