import { isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { Poller } from "#lib/platform/one-at-a-time.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { claimPolls, type PollClaim, pollsMax } from "#lib/polls/claims.ts";
import { pollOnce } from "./poll-once.ts";

/** The polls in progress in this process. */
class RunningPolls {
  readonly #stop = new AbortController();
  readonly #lanes = [new Lane(false, pollsMax.steady), new Lane(true, pollsMax.failing)];

  /** Starts due polls, as many as there is room for; resolves with how many. */
  async begin(): Promise<number> {
    let begun = 0;
    for (const { failing, running, max } of this.#lanes) {
      const free = max - running.size;
      if (free <= 0 || this.#stop.signal.aborted) continue;
      const claims = await claimPolls(free, failing);
      for (const claim of claims) {
        const poll = this.#poll(claim).finally(() => running.delete(poll));
        running.add(poll);
      }
      begun += claims.length;
    }
    return begun;
  }

  get #running(): Promise<void>[] {
    return this.#lanes.flatMap(({ running }) => [...running]);
  }

  /** Resolves when a poll in progress has ended; with false if there was none. */
  async oneEnded(): Promise<boolean> {
    const running = this.#running;
    await Promise.race(running.length === 0 ? [null] : running);
    return running.length > 0;
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

class Lane {
  readonly failing: boolean;
  readonly max: number;
  readonly running = new Set<Promise<void>>();

  constructor(failing: boolean, max: number) {
    this.failing = failing;
    this.max = max;
  }
}

/**
 * Performs due polls, starting none after `beginMsMax`; returns how many. Safe to call in several processes at once.
 */
export async function pollDue(beginMsMax = Number.POSITIVE_INFINITY): Promise<number> {
  const running = new RunningPolls();
  const beganAt = performance.now();
  let begun = await running.begin();
  while (await running.oneEnded()) {
    if (performance.now() - beganAt < beginMsMax) begun += await running.begin();
  }
  return begun;
}

/** Looking for due polls is two queries on a small index. */
const pollMs = 1_000;

/** Polls triggers when they are due. Every process looks; each poll is done by one. */
export function startPolls(): { stop(): Promise<void> } {
  const running = new RunningPolls();
  const poller = new Poller(pollMs, "Triggers could not be polled", () => running.begin()).start();
  return {
    stop: async () => {
      await poller.stop();
      await running.stop();
    },
  };
}

/** This process's polls, started on first use. */
export function polls(): { stop(): Promise<void> } {
  return singleton("polls", startPolls);
}
