import { watchRules } from "#lib/alerts/watch-rules.ts";
import { isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { deliveries } from "#lib/runtime/deliveries/deliveries.ts";

/** A poll that finds no due rule is one query on a small index. */
const lookMs = 2_000;

/** Evaluates alert rules on a timer. Every process does; each rule is claimed by one at a time. */
class AlertWatch {
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  start(): void {
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined;
      });
    }, lookMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    try {
      if ((await watchRules()) > 0) deliveries().wake();
    } catch (error) {
      if (!isUnavailable(error)) logLine("error", "Alert rules could not be seen to", errorFields(error));
    }
  }
}

/** This process's watch, started on first use. */
export function alertWatch(): AlertWatch {
  return singleton("alert-watch", () => {
    const made = new AlertWatch();
    made.start();
    return made;
  });
}
