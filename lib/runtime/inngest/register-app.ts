import { nowMs } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { singleton } from "#lib/platform/singleton.ts";

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** A server that was started anew may have forgotten its apps: it is told this often, whatever it knows. */
const everyMs = 60_000;
/** It is not told more often than this because runs do not start. */
const againMs = 5_000;

/** Tells Inngest where this app's functions are; gives null when it went well. */
export type Register = () => Promise<Record<string, unknown> | null>;

/**
 * Tells an Inngest server of one's own where this app's functions are: as often as it takes, for it may start later
 * than this process; and again every minute, and when it does not do what it is told, for it may have been started
 * anew. Inngest's cloud is told by whoever deploys.
 */
class Registration {
  #register: Register | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = firstPauseMs;
  #isUnderWay = false;
  #isKnown: boolean | undefined;
  #lastMs = 0;

  start(register: Register): void {
    if (this.#register !== undefined) return;
    this.#register = register;
    void this.#tell();
  }

  async again(): Promise<void> {
    if (this.#register === undefined || this.#isUnderWay || nowMs() - this.#lastMs < againMs) return;
    await this.#tell();
  }

  async #tell(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isUnderWay = true;
    const refusal = await this.#register?.().catch(errorFields);
    this.#isUnderWay = false;
    this.#lastMs = nowMs();
    if (refusal) {
      if (this.#isKnown !== false)
        logLine("warning", "Inngest could not be told of this app's functions: it is tried again", refusal);
      this.#next(this.#pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
    } else {
      if (this.#isKnown !== true) logLine("info", "Inngest knows this app's functions");
      this.#next(everyMs);
      this.#pauseMs = firstPauseMs;
    }
    this.#isKnown = !refusal;
  }

  #next(ms: number): void {
    this.#timer = setTimeout(() => void this.#tell(), ms).unref();
  }
}

const registration = () => singleton("inngest-registration", () => new Registration());

/** Begins to tell, where the server is one's own. */
export function keepRegistered(register: Register): void {
  if (env().inngest?.isOwnServer === true) registration().start(register);
}

/** Inngest refused what it was sent, or did not act on it: perhaps it does not know this app any more. */
export async function registerAgain(): Promise<void> {
  await registration().again();
}
