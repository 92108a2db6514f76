import { singleton } from "./singleton.ts";

/** ISO 8601 in UTC with milliseconds, as the API tells times. */
export function iso(time: Date): string {
  return time.toISOString();
}

/** The database's time when this process's steady clock stood at 0; undefined until it was first read. */
const clock = () => singleton<{ zeroMs: number | undefined }>("clock", () => ({ zeroMs: undefined }));

/**
 * Epoch milliseconds by the database's clock: processes compare these times, and machines' own clocks differ. Between
 * two readings it runs on the process's steady clock, which nobody sets. Before the first, it is the machine's.
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
 * Sets the clock by one reading: the database said `ms` at some moment between `before` and `after` of the steady clock.
 * A clock that could have been right is left alone, so that it neither jitters nor steps back.
 */
export function setClock(ms: number, before: number, after: number): void {
  const { zeroMs } = clock();
  if (zeroMs !== undefined && zeroMs >= ms - after && zeroMs <= ms - before) return;
  clock().zeroMs = ms - (before + after) / 2;
}

let latestMs = Number.NaN;
let latestIso = "";

/** The time as `iso` tells it. Within a millisecond it is written once: a run of three nodes asks six times. */
export function isoNow(): string {
  const now = nowMs();
  if (now !== latestMs) {
    latestMs = now;
    latestIso = new Date(now).toISOString();
  }
  return latestIso;
}

/** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
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
