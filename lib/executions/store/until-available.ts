import { sleep } from "#lib/platform/clock.ts";
import { isUnavailable } from "#lib/platform/database.ts";

const firstPauseMs = 100;
const longestPauseMs = 2_000;

/** Retries while the database is unavailable, for up to `patienceMs`. `attempt` must be safe to repeat. */
export async function untilAvailable<T>(patienceMs: number, attempt: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() + pauseMs > giveUpAt) throw error;
    }
    await sleep(pauseMs);
  }
}
