import { nowMs } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { singleton } from "#lib/platform/singleton.ts";

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** A restarted server may have forgotten its apps, so the app always registers this often. */
const everyMs = 60_000;
/** The minimum time between registrations while runs do not start. */
const againMs = 5_000;

/** Registers this app's functions with Inngest; returns null on success. */
export type Register = () => Promise<Record<string, unknown> | null>;

/**
 * Registers this app's functions with a self-hosted Inngest server. Retries, because the server may start later than
 * this process, and repeats every minute and whenever the server refuses or ignores events, because it may have
 * restarted. With Inngest's cloud, the deployment registers them.
 */
class Registration {
  #register: Register | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = firstPauseMs;
  #isRegistering = false;
  #isKnown: boolean | undefined;
  #lastMs = 0;

  start(register: Register): void {
    if (this.#register !== undefined) return;
    this.#register = register;
    void this.#registerNow();
  }

  async repeat(): Promise<void> {
    if (this.#register === undefined || this.#isRegistering || nowMs() - this.#lastMs < againMs) return;
    await this.#registerNow();
  }

  async #registerNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isRegistering = true;
    const refusal = await this.#register?.().catch(errorFields);
    this.#isRegistering = false;
    this.#lastMs = nowMs();
    if (refusal) {
      if (this.#isKnown !== false)
        logLine("warning", "This app's functions could not be registered with Inngest; trying again", refusal);
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
    this.#timer = setTimeout(() => void this.#registerNow(), ms).unref();
  }
}

const registration = () => singleton("inngest-registration", () => new Registration());

/** Starts registering, for a self-hosted server. */
export function keepRegistered(register: Register): void {
  if (env().inngest?.isOwnServer === true) registration().start(register);
}

/** Called when Inngest refused or ignored an event: it may no longer know this app. */
export async function registerAgain(): Promise<void> {
  await registration().repeat();
}
