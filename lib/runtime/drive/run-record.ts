import { finishExecution, isFoldable } from "#lib/executions/store/finish-execution.ts";
import { insertExecution } from "#lib/executions/store/insert-execution.ts";
import { type NodesOfRun, recordNodes } from "#lib/executions/store/record-nodes.ts";
import type { FinishedRun, NewExecution } from "#lib/executions/store/run-row.ts";
import { storeEndedRun } from "#lib/executions/store/store-ended-run.ts";
import { isRefused } from "#lib/platform/database.ts";

/** The driver's port to a run's record. */
export interface RunRecord {
  /** False while nothing of the run is on disk: a run whose record cannot be written then fails. */
  readonly isStored: boolean;
  /** Stores what nodes did; returns the run's status, or null if it belongs to another claim. */
  write(nodes: NodesOfRun): Promise<string | null>;
  /** Ends the run; false if it had already ended or belongs to another claim. */
  end(finished: FinishedRun): Promise<boolean>;
}

/** For a run whose record was written before it started. */
export const storedRecord: RunRecord = { isStored: true, write: recordNodes, end: finishExecution };

/** A run that takes longer than this is written while it runs. */
const patienceMs = 10;

/**
 * The record of a run whose caller waits. It is on disk before the answer is sent and before the run acts: in one write
 * if the run ends at once, otherwise with the first record of its nodes. Nothing is visible outside before that: a run
 * that dies with its process earlier never happened.
 */
export class LateRecord implements RunRecord {
  readonly #execution: NewExecution;
  readonly #timer: NodeJS.Timeout;
  #inserted: Promise<void> | undefined;
  #isStored = false;

  constructor(execution: NewExecution) {
    this.#execution = execution;
    // The error surfaces again when the run ends.
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
      // PostgreSQL may refuse its nodes: the run is then stored without them, and fails.
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
