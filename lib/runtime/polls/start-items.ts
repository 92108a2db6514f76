import { AppError } from "#lib/errors.ts";
import { triggerText } from "#lib/executions/store/new-execution.ts";
import type { Poll } from "#lib/flows/polls/poll-trigger.ts";
import { inTransaction, type RunStatement } from "#lib/platform/database.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { type PollClaim, takePollStep } from "#lib/polls/claims.ts";
import type { PolledItem } from "#lib/polls/items.ts";
import { keysAtOnce, remember } from "#lib/polls/seen-items.ts";
import { type PreparedRun, prepareRun, queueTogether } from "#lib/runtime/start/queue-run.ts";

/** The size of one transaction: runs, and characters of their triggers. */
const together = { runs: 50, characters: 1_048_576 } as const;

/**
 * The outcome for new items. `full`: some must wait, because the workspace has too many queued runs. `lost`: another
 * process has the claim.
 */
export type Started = "all" | "full" | "lost";

/** A poll's writes. Each happens once, and only while this process holds the claim. */
export class PollWrites {
  readonly #claim: PollClaim;
  readonly #kind: Poll["kind"];
  /** Items whose runs are stored. */
  readonly stored = new Set<PolledItem>();
  #step: number;

  constructor(claim: PollClaim, kind: Poll["kind"]) {
    this.#claim = claim;
    this.#kind = kind;
    this.#step = claim.step;
  }

  /** Marks items as seen without starting anything. */
  async note(items: readonly PolledItem[]): Promise<Started> {
    for (let from = 0; from < items.length; from += keysAtOnce) {
      const some = items.slice(from, from + keysAtOnce);
      const isTaken = await inTransaction(async (run) => {
        if (!(await this.#take(run))) return false;
        await remember(run, this.#claim.id, some);
        return true;
      });
      if (!isTaken) return "lost";
      this.#step += 1;
    }
    return "all";
  }

  /** Starts one run for all items; it is stored together with the mark that they are seen. */
  async startOne(items: readonly PolledItem[]): Promise<Started> {
    const bodies: unknown[] = [];
    for (const item of items) {
      await yieldTurn();
      bodies.push(item.body());
    }
    const run = await this.#prepared(bodies);
    return run === null ? "full" : await this.#store([run], items);
  }

  /** Starts a run for each item. They are stored in batches, each together with the mark that its items are seen. */
  async startEach(items: readonly PolledItem[]): Promise<Started> {
    let runs: PreparedRun[] = [];
    let seen: PolledItem[] = [];
    let characters = 0;
    for (const [index, item] of items.entries()) {
      await yieldTurn();
      const run = await this.#prepared(item.body());
      if (run !== null) {
        runs.push(run);
        seen.push(item);
        characters += run.execution.trigger.length;
      }
      const isBatchFull = runs.length >= together.runs || characters >= together.characters;
      if (run !== null && !isBatchFull && index + 1 < items.length) continue;
      if (runs.length > 0 && (await this.#store(runs, seen)) === "lost") return "lost";
      if (run === null) return "full";
      [runs, seen, characters] = [[], [], 0];
    }
    return "all";
  }

  async #prepared(body: unknown): Promise<PreparedRun | null> {
    try {
      const [triggerType, source] = [this.#kind, this.#kind];
      const trigger = await triggerText({ body, headers: {}, query: {}, method: "POST" });
      return await prepareRun(this.#claim, { triggerType, trigger, source, ip: null, userAgent: null });
    } catch (error) {
      if (error instanceof AppError && error.code === "SERVICE_UNAVAILABLE") return null;
      throw error;
    }
  }

  async #store(runs: readonly PreparedRun[], items: readonly PolledItem[]): Promise<Started> {
    const isTaken = await queueTogether(runs, {
      take: (run) => this.#take(run),
      before: (run) => remember(run, this.#claim.id, items),
    });
    if (!isTaken) return "lost";
    this.#step += 1;
    for (const item of items) this.stored.add(item);
    return "all";
  }

  #take(run: RunStatement): Promise<boolean> {
    return takePollStep(run, this.#claim, this.#step);
  }
}
