import { isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { Poller } from "#lib/platform/one-at-a-time.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { claimPolls, type PollClaim } from "#lib/polls/claims.ts";
import { pollOnce } from "./poll-once.ts";

/** The maximum number of concurrent polls in a process: each may hold an answer of 5 MiB, and its items. */
const pollsMax = 3;

/** The polls in progress in this process. */
class RunningPolls {
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();

  /** Starts due polls, as many as there is room for; resolves with how many. */
  async begin(): Promise<number> {
    const free = pollsMax - this.#running.size;
    if (free <= 0 || this.#stop.signal.aborted) return 0;
    const claims = await claimPolls(free);
    for (const claim of claims) {
      const poll = this.#poll(claim).finally(() => this.#running.delete(poll));
      this.#running.add(poll);
    }
    return claims.length;
  }

  /** Resolves when all polls in progress have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Starts no more polls, and releases those in progress. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.ended();
  }

  async #poll(claim: PollClaim): Promise<void> {
    try {
      await pollOnce(claim, this.#stop.signal);
    } catch (error) {
      // Its claim expires, and another process polls again.
      if (!isUnavailable(error))
        logLine("error", "The end of a poll could not be recorded", { flowId: claim.id, ...errorFields(error) });
    }
  }
}

/**
 * Performs due polls, starting none after `beginMsMax`; returns how many. Safe to call in several processes at once.
 */
export async function pollDue(beginMsMax = Number.POSITIVE_INFINITY): Promise<number> {
  const running = new RunningPolls();
  const beganAt = performance.now();
  let done = 0;
  for (let begun = await running.begin(); begun > 0; ) {
    done += begun;
    await running.ended();
    begun = performance.now() - beganAt < beginMsMax ? await running.begin() : 0;
  }
  return done;
}

/** Looking for due polls is one query on a small index. */
const pollMs = 1_000;

/** Polls triggers when they are due; started on first use. Every process looks; each poll is done by one. */
export function polls(): { stop(): Promise<void> } {
  return singleton("polls", () => {
    const running = new RunningPolls();
    const poller = new Poller(pollMs, "Triggers could not be polled", () => running.begin()).start();
    return {
      stop: async () => {
        await poller.stop();
        await running.stop();
      },
    };
  });
}
