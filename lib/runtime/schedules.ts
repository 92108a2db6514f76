import { isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { fireSchedules } from "./fire-schedules.ts";
import { worker } from "./worker.ts";

/** A look is one question to a small index; a time is kept to within this. */
const lookMs = 500;

/** Sees to it that flows with a schedule run when their time comes. Every process does; each time gets one run. */
class Schedules {
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  start(): void {
    this.#timer = setInterval(() => void this.#look(), lookMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      if ((await fireSchedules()) === 0) return;
      worker().wake();
      worker().admit();
    } catch (error) {
      if (!isUnavailable(error)) logLine("error", "Schedules could not be seen to", errorFields(error));
    } finally {
      this.#looking = false;
    }
  }
}

/** This process's schedules, started when first asked for. */
export function schedules(): Schedules {
  return singleton("schedules", () => {
    const made = new Schedules();
    made.start();
    return made;
  });
}
