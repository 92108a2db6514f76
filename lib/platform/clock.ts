import { singleton } from "./singleton.ts";

/** ISO 8601 in UTC with milliseconds, the API's format. */
export function iso(time: Date): string {
  return time.toISOString();
}

/** The database's time when this process's monotonic clock was at 0; undefined until first read. */
const clock = () => singleton<{ zeroMs: number | undefined }>("clock", () => ({ zeroMs: undefined }));

/**
 * Epoch milliseconds by the database's clock, because processes compare these times and machines' clocks differ.
 * Between readings it advances with the process's monotonic clock, which cannot be set. Before the first reading, it is
 * the machine's clock.
 */
export function nowMs(): number {
  const { zeroMs } = clock();
  return Math.floor(zeroMs === undefined ? Date.now() : zeroMs + performance.now());
}

/** `nowMs` as a date. */
export function timeNow(): Date {
  return new Date(nowMs());
}

/**
 * Sets the clock by one reading: the database said `ms` between `before` and `after` of the monotonic clock. A clock
 * that could be right is left alone, so that it neither jitters nor steps back.
 */
export function setClock(ms: number, before: number, after: number): void {
  const { zeroMs } = clock();
  if (zeroMs !== undefined && zeroMs >= ms - after && zeroMs <= ms - before) return;
  clock().zeroMs = ms - (before + after) / 2;
}

let latestMs = Number.NaN;
let latestIso = "";

/** The time in `iso`'s format. Cached per millisecond: a run of three nodes needs it six times. */
export function isoNow(): string {
  const now = nowMs();
  if (now !== latestMs) {
    latestMs = now;
    latestIso = new Date(now).toISOString();
  }
  return latestIso;
}

/** Resolves after `ms`; rejects with the signal's reason if it is aborted first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
