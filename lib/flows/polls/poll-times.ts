import { z } from "zod";

/** Milliseconds between polls. */
export const everyMsLimits = { min: 30_000, max: 30 * 86_400_000 } as const;

export const everyMs = z
  .int("must be a whole number of milliseconds")
  .min(everyMsLimits.min, `must be at least ${everyMsLimits.min}`)
  .max(everyMsLimits.max, `must be at most ${everyMsLimits.max}`);

export const flag = z.boolean("must be true or false");
