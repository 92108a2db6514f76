import { workOnBacktests } from "#lib/flows/backtests/work-on-backtests.ts";
import { Poller } from "#lib/platform/one-at-a-time.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** A poll that finds none in progress is one query on a small index. */
const pollMs = 1_000;

/** Goes on with backtests, from its first use on: one run at a time, beside everything else that the process does. */
class BacktestWork {
  readonly #stopped = new AbortController();
  readonly #poller = new Poller(pollMs, "Backtests could not be continued", () =>
    workOnBacktests(this.#stopped.signal),
  );

  start(): this {
    this.#poller.start();
    return this;
  }

  /** Begins now, unless it is at work: then it finds what is new when it has done its slice. */
  poll(): void {
    this.#poller.poll();
  }

  /** Hands what is in progress to another process, and resolves once it has. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#poller.stop();
  }
}

export function backtests(): BacktestWork {
  return singleton("backtests", () => new BacktestWork().start());
}
