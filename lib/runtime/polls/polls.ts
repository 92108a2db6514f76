import { isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { Poller } from "#lib/platform/one-at-a-time.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { claimPolls, type PollClaim } from "#lib/polls/claims.ts";
import { look } from "./look.ts";

/** The maximum number of concurrent polls in a process: each may hold an answer of 5 MiB, and its items. */
const looksMax = 3;

/** The looks that this process is at. */
class Looks {
  readonly #stop = new AbortController();
  readonly #going = new Set<Promise<void>>();

  /** Begins looks that are due, as many as there is room for; resolves with how many. */
  async begin(): Promise<number> {
    const room = looksMax - this.#going.size;
    if (room <= 0 || this.#stop.signal.aborted) return 0;
    const claims = await claimPolls(room);
    for (const claim of claims) {
      const going = this.#look(claim).finally(() => this.#going.delete(going));
      this.#going.add(going);
    }
    return claims.length;
  }

  /** Resolves when those that have begun have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#going);
  }

  /** Begins no more, and gives back those that have begun. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.ended();
  }

  async #look(claim: PollClaim): Promise<void> {
    try {
      await look(claim, this.#stop.signal);
    } catch (error) {
      // Its claim ends by itself, and another process looks again.
      if (!isUnavailable(error))
        logLine("error", "The end of a poll could not be recorded", { flowId: claim.id, ...errorFields(error) });
    }
  }
}

/**
 * Does looks that are due, beginning some as long as `beginMsMax` have not passed; returns how many. Any number of processes
 * may call it at any time.
 */
export async function pollDue(beginMsMax = Number.POSITIVE_INFINITY): Promise<number> {
  const looks = new Looks();
  const beganAt = performance.now();
  let done = 0;
  for (let begun = await looks.begin(); begun > 0; ) {
    done += begun;
    await looks.ended();
    begun = performance.now() - beganAt < beginMsMax ? await looks.begin() : 0;
  }
  return done;
}

/** A poll for what is due is one query on a small index. */
const lookMs = 1_000;

/** Looks for items whenever that is due, from its first use on. Every process does; each look is one process's. */
export function polls(): { stop(): Promise<void> } {
  return singleton("polls", () => {
    const looks = new Looks();
    const poller = new Poller(lookMs, "Triggers could not be polled", () => looks.begin()).start();
    return {
      stop: async () => {
        await poller.stop();
        await looks.stop();
      },
    };
  });
}
