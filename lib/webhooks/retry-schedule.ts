const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Before each retry, counted from the attempt that failed. */
export const retryDelaysMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour] as const;

/** A receiver may put an attempt off, but not for ever. */
const askedMsMax = 14 * hour;

/** A subscription whose every attempt failed for this long is switched off. */
export const failingMsMax = 5 * 24 * hour;

/**
 * When to try again after failure number `failures` (from 1); null when it was the last attempt. A receiver that asks
 * for more time (`Retry-After`) gets it.
 */
export function nextAttemptAt(failures: number, now: Date, askedMs = 0): Date | null {
  const delayMs = retryDelaysMs[failures - 1];
  return delayMs === undefined ? null : new Date(now.getTime() + Math.max(delayMs, Math.min(askedMs, askedMsMax)));
}
