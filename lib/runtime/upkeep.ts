import { foldStatistics } from "#lib/executions/fold-statistics.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { finishBegun } from "./finish-begun.ts";
import { performUpkeep } from "./perform-upkeep.ts";

const finishMs = 60_000;
const foldMs = 5 * 60_000;
const upkeepMs = 3_600_000;
/** The first time: soon, but not while everything else starts. */
const firstMs = 30_000;

/**
 * Keeps the house in the server's process: finishes what was begun every minute, folds statistics every few minutes,
 * removes what is old every hour.
 */
export class UpkeepTimer {
  readonly #stopped = new AbortController();
  #timers: NodeJS.Timeout[] = [];
  #underWay: Promise<void> | undefined;

  start(): void {
    const first = setTimeout(() => this.#perform(), firstMs);
    const fold = setInterval(() => this.#begin(foldStatistics), foldMs);
    const finish = setInterval(() => this.#begin(finishBegun), finishMs);
    const upkeep = setInterval(() => this.#perform(), upkeepMs);
    this.#timers = [first.unref(), fold.unref(), finish.unref(), upkeep.unref()];
  }

  /** Begins nothing more and waits for the batch under way. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#stopped.abort();
    await this.#underWay;
  }

  #perform(): void {
    this.#begin(async () => {
      const removed = await performUpkeep(timeNow(), this.#stopped.signal);
      if (Object.values(removed).some((count) => count > 0))
        logLine("info", "Old records were removed", { ...removed });
    });
  }

  #begin(work: () => Promise<unknown>): void {
    this.#underWay ??= work()
      .then(() => {})
      .catch((error) => {
        if (!isUnavailable(error)) logLine("error", "The upkeep was cut short", errorFields(error));
      })
      .finally(() => {
        this.#underWay = undefined;
      });
  }
}

/** This process's upkeep, started when first asked for. */
export function upkeep(): UpkeepTimer {
  return singleton("upkeep", () => {
    const made = new UpkeepTimer();
    made.start();
    return made;
  });
}
