import { setTimeout as pause } from "node:timers/promises";

const firstPauseMs = 10;
const longestPauseMs = 250;
const waitMsDefault = 60_000;

/** Polls until there is a result; fails once the deadline has passed. */
export async function eventually<T>(
  description: string,
  check: () => Promise<T | undefined> | T | undefined,
  waitMs = waitMsDefault,
): Promise<T> {
  const giveUpAt = Date.now() + waitMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const found = await check();
    if (found !== undefined) return found;
    if (Date.now() > giveUpAt) throw new Error(`It did not happen within ${waitMs} ms that ${description}`);
    await pause(pauseMs);
  }
}
