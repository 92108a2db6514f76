import { type FinishedRun, finishExecution, isFoldable } from "#lib/executions/store/finish-execution.ts";
import { insertExecution, type NewExecution } from "#lib/executions/store/insert-execution.ts";
import { type NodesOfRun, recordNodes } from "#lib/executions/store/record-nodes.ts";
import { storeEndedRun } from "#lib/executions/store/store-ended-run.ts";
import { isRefused } from "#lib/platform/database.ts";

/** A run's own record, as the driver needs it. */
export interface RunRecord {
  /** False while nothing of the run is on disk: then it fails with whatever keeps it from there. */
  readonly isStored: boolean;
  /** Stores what nodes did; gives the run's status, null when it belongs to another claim. */
  write(nodes: NodesOfRun): Promise<string | null>;
  /** Ends the run; false when it had ended already or belongs to another claim. */
  end(finished: FinishedRun): Promise<boolean>;
}

/** Of a run whose record was written before it began. */
export const storedRecord: RunRecord = { isStored: true, write: recordNodes, end: finishExecution };

/** A run that takes longer than this is on disk while it goes on. */
const patienceMs = 10;

/**
 * Of a run that goes on while its caller waits: it is on disk before its answer and before it acts, in one write if it
 * ends at once, else in one with the first record of its nodes. Nothing that it does can be seen from outside before
 * that, so that a run which dies with its process has not been.
 */
export class LateRecord implements RunRecord {
  readonly #execution: NewExecution;
  readonly #timer: NodeJS.Timeout;
  #inserted: Promise<void> | undefined;
  #isStored = false;

  constructor(execution: NewExecution) {
    this.#execution = execution;
    // A failure is met again by whoever ends the run.
    this.#timer = setTimeout(() => void this.stored().catch(() => {}), patienceMs);
  }

  get isStored(): boolean {
    return this.#isStored;
  }

  /** Resolves when the record is on disk. Throws StaleFlow. */
  stored(): Promise<void> {
    clearTimeout(this.#timer);
    this.#inserted ??= this.#isStored ? Promise.resolve() : this.#insert();
    return this.#inserted;
  }

  async write(nodes: NodesOfRun): Promise<string | null> {
    clearTimeout(this.#timer);
    if (this.#inserted !== undefined) {
      await this.#inserted;
      return await recordNodes(nodes);
    }
    this.#inserted = this.#insert(nodes);
    await this.#inserted;
    return "running";
  }

  async end(finished: FinishedRun): Promise<boolean> {
    clearTimeout(this.#timer);
    if (this.#inserted === undefined && (await this.#storedAtOnce(finished))) {
      this.#isStored = true;
      return true;
    }
    await this.stored();
    return await finishExecution(finished);
  }

  async #storedAtOnce(finished: FinishedRun): Promise<boolean> {
    if (!isFoldable(finished)) return false;
    try {
      return await storeEndedRun(this.#execution, finished);
    } catch (error) {
      // What it did may be at fault: then it is on disk without that, and fails.
      if (isRefused(error)) return false;
      throw error;
    }
  }

  async #insert(begun?: NodesOfRun): Promise<void> {
    try {
      await insertExecution(this.#execution, begun);
    } catch (error) {
      if (begun === undefined || !isRefused(error)) throw error;
      await insertExecution(this.#execution);
      this.#isStored = true;
      throw error;
    }
    this.#isStored = true;
  }
}
