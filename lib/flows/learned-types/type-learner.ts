import { LRUCache } from "lru-cache";
import type { NodeRecord } from "#lib/executions/store/node-record.ts";
import { keepRunning } from "#lib/platform/after-answer.ts";
import { isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { nextTurn } from "#lib/platform/turns.ts";
import { seenMin } from "./drift.ts";
import { driftOfRun, type EndedRun, shapesOf } from "./learn-from-run.ts";
import { storedTypesOf, storeTypes } from "./stored-types.ts";
import { type FlowShapes, mergeShapes, noShapes } from "./version-types.ts";

/** The first `everyRunMax` runs of a version are sampled, then one in `oneOf`. */
const everyRunMax = 100;
const oneOf = 100;
/** Runs queued for sampling, with their outputs in memory; more are skipped. */
const waitingMax = 50;
const waitingCharactersMax = 8 * 1_048_576;
const storeMs = 3_000;
/** Versions whose shapes this process keeps. Others are loaded when one of their runs ends. */
const knownMax = 500;
/** Versions with unstored shapes; beyond this, runs of other versions are skipped until some are stored. */
const unstoredMax = 500;

interface Version {
  readonly flowId: string;
  readonly version: number;
}

/** What this process knows about a version. */
interface Known {
  /** Includes what others have learned; null until that is loaded. */
  shapes: FlowShapes | null;
  /** Resolves even if loading failed. */
  readonly loading: Promise<void>;
  /** The number of its runs that ended in this process. */
  count: number;
}

interface Unstored extends Version {
  readonly shapes: FlowShapes;
}

interface Waiting {
  readonly known: Known;
  readonly run: EndedRun;
  readonly records: readonly NodeRecord[];
  readonly characters: number;
  /** Its number among the runs of its version in this process. */
  readonly count: number;
  readonly learned: PromiseWithResolvers<void>;
}

/**
 * Learns the shapes of outputs, in the background, after their runs are stored. A run that is not sampled costs one
 * look-up, plus a brief check for drift once enough is known.
 */
class TypeLearner {
  readonly #known = new LRUCache<string, Known>({ max: knownMax });
  readonly #unstored = new Map<string, Unstored>();
  /** The first one is being sampled. */
  readonly #waiting: Waiting[] = [];
  #waitingCharacters = 0;
  #learning: Promise<void> | undefined;
  #soon: { readonly timer: NodeJS.Timeout; readonly over: () => void } | undefined;
  /** Versions being stored. */
  readonly #storing = new Map<string, Promise<boolean>>();

  /** The drift of a run from 100 or more earlier ones; null if there is none, or if its version is not loaded here. */
  driftIn(run: EndedRun): ReturnType<typeof driftOfRun> {
    const shapes = this.#known.get(keyOf(run))?.shapes ?? null;
    return shapes === null || shapes.runs < seenMin ? null : driftOfRun(shapes, run);
  }

  /** Learns from a run that was just stored, if it is sampled. `records`: its stored steps. */
  learnFrom(run: EndedRun, records: readonly NodeRecord[]): void {
    const known = this.#knownOf(run);
    known.count += 1;
    const { count } = known;
    if (!isLookedAt(known, count) || this.#waiting.length >= waitingMax) return;
    const characters = charactersOf(run);
    if (this.#waiting.length > 0 && this.#waitingCharacters + characters > waitingCharactersMax) return;
    this.#waiting.push({ known, run, records, characters, count, learned: Promise.withResolvers() });
    this.#waitingCharacters += characters;
    if (this.#learning !== undefined) return;
    this.#learning = this.#learnAll().finally(() => {
      this.#learning = undefined;
    });
    keepRunning(this.#learning);
  }

  /** Stores what has been learned. Never rejects. */
  async store(): Promise<void> {
    await this.#learning;
    await this.#storeAll();
  }

  /** Stores what has been learned about one flow. Never rejects. */
  async storeOf(flowId: string): Promise<void> {
    await this.#waiting.findLast(({ run }) => run.flowId === flowId)?.learned.promise;
    const keys = [...this.#unstored.keys(), ...this.#storing.keys()].filter((key) => key.startsWith(`${flowId}@`));
    await Promise.all([...new Set(keys)].map((key) => this.#store(key)));
  }

  #knownOf(run: EndedRun): Known {
    const key = keyOf(run);
    const found = this.#known.get(key);
    if (found !== undefined) return found;
    const known: Known = { shapes: null, count: 0, loading: nextTurn().then(() => this.#load(run, known)) };
    this.#known.set(key, known);
    return known;
  }

  /** Loads what all processes have stored. */
  async #load({ flowId, version }: EndedRun, known: Known): Promise<void> {
    const key = keyOf({ flowId, version });
    try {
      await this.#storing.get(key);
      const stored = await storedTypesOf(flowId, version);
      const unstored = this.#unstored.get(key);
      if (unstored !== undefined) mergeShapes(stored, unstored.shapes);
      known.shapes = stored;
    } catch (error) {
      if (this.#known.peek(key) === known) this.#known.delete(key);
      logFailure(error);
    }
  }

  async #learnAll(): Promise<void> {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      await nextTurn();
      try {
        await this.#learn(next);
      } catch (error) {
        logFailure(error);
      }
      this.#waiting.shift();
      this.#waitingCharacters -= next.characters;
      next.learned.resolve();
    }
  }

  async #learn({ known, run, records, count }: Waiting): Promise<void> {
    await known.loading;
    if (known.shapes === null || !isLookedAt(known, count)) return;
    const key = keyOf(run);
    if (!this.#unstored.has(key) && this.#unstored.size >= unstoredMax) {
      void this.#storeAll();
      return;
    }
    const learned = await shapesOf(run, records);
    const { flowId, version } = run;
    mergeShapes(known.shapes, learned);
    this.#keep({ flowId, version, shapes: learned });
    this.#storeSoon();
  }

  #keep({ flowId, version, shapes }: Unstored): void {
    const key = keyOf({ flowId, version });
    const unstored = this.#unstored.get(key) ?? { flowId, version, shapes: noShapes() };
    mergeShapes(unstored.shapes, shapes);
    this.#unstored.set(key, unstored);
  }

  #storeSoon(): void {
    if (this.#soon !== undefined) return;
    const { promise, resolve: over } = Promise.withResolvers<void>();
    this.#soon = { timer: setTimeout(() => void this.#storeAll(), storeMs).unref(), over };
    keepRunning(promise);
  }

  async #storeAll(): Promise<void> {
    const soon = this.#soon;
    this.#soon = undefined;
    clearTimeout(soon?.timer);
    for (const key of new Set([...this.#storing.keys(), ...this.#unstored.keys()])) {
      if (!(await this.#store(key))) break;
    }
    soon?.over();
  }

  /** Stores a version, serialized per version; false if the database is unavailable. */
  #store(key: string): Promise<boolean> {
    const made = (this.#storing.get(key) ?? Promise.resolve(true)).then(() => this.#write(key));
    const stored = made.finally(() => {
      if (this.#storing.get(key) === stored) this.#storing.delete(key);
    });
    this.#storing.set(key, stored);
    return stored;
  }

  async #write(key: string): Promise<boolean> {
    const unstored = this.#unstored.get(key);
    if (unstored === undefined) return true;
    this.#unstored.delete(key);
    try {
      const stored = await storeTypes(unstored.flowId, unstored.version, unstored.shapes);
      const known = this.#known.peek(key);
      if (stored === null) this.#known.delete(key);
      else if (known !== undefined) {
        // Other processes, and this one meanwhile, may have learned more.
        const since = this.#unstored.get(key);
        if (since !== undefined) mergeShapes(stored, since.shapes);
        known.shapes = stored;
      }
    } catch (error) {
      logFailure(error);
      // The database would refuse it again.
      if (!isUnavailable(error)) return true;
      this.#keep(unstored);
      return false;
    }
    return true;
  }
}

export function typeLearner(): TypeLearner {
  return singleton("type-learner", () => new TypeLearner());
}

function keyOf({ flowId, version }: Version): string {
  return `${flowId}@${version}`;
}

/** Whether to sample a run. If the version is not loaded yet, this is decided again once it is. */
function isLookedAt({ shapes }: Known, count: number): boolean {
  return shapes === null || shapes.runs < everyRunMax || count % oneOf === 0;
}

/** Size of the run's outputs as JSON. */
function charactersOf({ outcomes }: EndedRun): number {
  let count = 0;
  for (const outcome of outcomes.values()) if (outcome.status === "completed") count += outcome.output.json.length;
  return count;
}

function logFailure(error: unknown): void {
  if (!isUnavailable(error)) logLine("error", "Types could not be stored", errorFields(error));
}
