/** ISO 8601 in UTC with milliseconds, as the API tells times. */
export function iso(time: Date): string {
  return time.toISOString();
}

let latestMs = Number.NaN;
let latestIso = "";

/** The time as `iso` tells it. Within a millisecond it is written once: a run of three nodes asks six times. */
export function isoNow(): string {
  const now = Date.now();
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
