import type { Actor } from "#lib/auth/actor.ts";
import type { ExecutionStatus } from "#lib/contract/executions/executions.ts";
import type { StreamEvent } from "#lib/contract/executions/stream.ts";
import { notFound } from "#lib/errors.ts";
import { findStatus, readExecution } from "#lib/executions/read-execution.ts";
import { runLogColumns, runLogOf } from "#lib/executions/run-log.ts";
import { sleep } from "#lib/platform/clock.ts";
import { database, isUnavailable } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { ChangeSignal, takeStreamSlot } from "./change-signal.ts";
import { changesOfRun, lastChange } from "./changes-of-run.ts";
import { streamedTexts } from "./streamed-texts.ts";
import { runWatch } from "./watch-runs.ts";

/** Streams that a workspace may have open per process: each holds a connection and polls. */
const streamsMax = 100;

interface Options {
  /** The `id` of the last event that the client has; an unreadable one is ignored. */
  readonly lastEventId: string | null;
  readonly includeNodeOutputs: boolean;
  readonly includeItemCounts: boolean;
  readonly includeText: boolean;
}

/**
 * An event's id combines the position of the last change that the client has, the number of entries about the run as a
 * whole sent since (derived from the run's record, they have no position of their own), and the status that the client
 * knows. A status only moves towards its end, so ids never decrease.
 */
const statusPlaces = 8;
/** More than a log has entries about the run as a whole. */
const entryPlaces = 4_096;
const final = 7;
const placeOfStatus: Record<ExecutionStatus, number> = {
  pending: 1,
  running: 2,
  completed: final,
  failed: final,
  cancelled: final,
  timeout: final,
};
const outagePauseMs = 1_000;

/**
 * A run's events as they happen: its current state and log, then every change, finally its end. Yields nothing to a
 * client that already has the end. Ends early when `signal` is aborted, when the run is deleted, and when this process
 * shuts down; the client then resumes from its last event. Reads only what is consumed. Throws NOT_FOUND, and
 * RATE_LIMIT_EXCEEDED if the workspace follows too many runs on this process.
 */
export async function* streamExecution(
  actor: Actor,
  id: string,
  options: Options,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, void, undefined> {
  if (!isId("execution", id)) throw notFound("Execution");
  const release = takeStreamSlot(actor.workspaceId, "executions", streamsMax);
  const changes = new ChangeSignal(id, signal);
  const reader = new StreamReader(actor, id, options);
  const stopListening = options.includeText ? streamedTexts().listen(id, changes.notify) : () => {};
  try {
    do {
      const nextChange = changes.nextChange();
      yield* reader.read();
      if (options.includeText && !reader.isDone) yield* reader.texts();
      if (!reader.isDone) await nextChange();
    } while (!reader.isDone && !signal.aborted && !runWatch().isClosed);
  } finally {
    stopListening();
    changes.close();
    release();
  }
}

/** Reads what the client does not have yet. */
class StreamReader {
  readonly #actor: Actor;
  readonly #id: string;
  readonly #withPayloads: boolean;
  readonly #withCounts: boolean;
  /** The position of the last change sent, the entries sent since, and the status that the client knows. */
  #sentUpTo: number;
  #since: number;
  #status: number;
  /** The position of the last change that an earlier stream sent. */
  readonly #sentBefore: number;
  /** Entries about the run as a whole that this stream sent. */
  readonly #entries = new Set<string>();
  /** Nodes up to this position were sent with the run itself. */
  #nodesAfter = 0;
  #hasAnswered = false;
  readonly #sentTexts = new Map<string, string>();

  constructor(actor: Actor, id: string, { lastEventId, includeNodeOutputs, includeItemCounts }: Options) {
    const given = /^\d{1,16}$/.test(lastEventId ?? "") ? Number(lastEventId) : 0;
    const last = Number.isSafeInteger(given) ? given : 0;
    const place = Math.floor(last / statusPlaces);
    this.#actor = actor;
    this.#id = id;
    this.#withPayloads = includeNodeOutputs;
    this.#withCounts = includeItemCounts;
    this.#sentUpTo = Math.floor(place / entryPlaces);
    this.#sentBefore = this.#sentUpTo;
    this.#since = place % entryPlaces;
    this.#status = last % statusPlaces;
  }

  /** The text streamed since the last event; it has no position, and is not resent. */
  *texts(): Generator<StreamEvent, void, undefined> {
    const texts = this.#hasAnswered ? streamedTexts().of(this.#id) : [];
    for (const data of texts) {
      const place = `${data.nodeId} ${data.iteration}`;
      if (this.#sentTexts.get(place) === data.text) continue;
      this.#sentTexts.set(place, data.text);
      yield { id: this.#idOf(0), event: "text", data };
    }
  }

  get isDone(): boolean {
    return this.#status === final;
  }

  async *read(): AsyncGenerator<StreamEvent, void, undefined> {
    try {
      yield* this.#newEvents();
    } catch (error) {
      // Once started, a stream survives a short outage of the database.
      if (!this.#hasAnswered || !isUnavailable(error)) throw error;
      await sleep(outagePauseMs);
    }
  }

  async *#newEvents(): AsyncGenerator<StreamEvent, void, undefined> {
    const isFirst = this.#sentUpTo === 0 && this.#status === 0;
    // Read before the changes: if the run has ended by now, the reads below find all of them.
    let status = placeOfStatus[await findStatus(this.#actor, this.#id)];
    if (isFirst) this.#nodesAfter = await lastChange(this.#id);
    this.#hasAnswered = true;
    if (this.isDone) return;
    if (status > this.#status && status !== final) {
      const data = await this.#execution();
      status = placeOfStatus[data.status];
      if (status !== final) yield this.#statusEvent(status, data);
    }
    yield* this.#changes(status !== final);
    if (status !== final) return;
    yield* this.#entriesOfRun(true);
    yield this.#statusEvent(status, await this.#execution());
  }

  #execution() {
    const [includeNodeOutputs, includeItemCounts] = [this.#withPayloads, this.#withCounts];
    return readExecution(this.#actor, this.#id, { includeLogs: false, includeNodeOutputs, includeItemCounts });
  }

  #statusEvent(status: number, data: Awaited<ReturnType<typeof readExecution>>): StreamEvent {
    this.#status = status;
    return { id: this.#idOf(status), event: "execution", data };
  }

  #idOf(status: number): number {
    return (this.#sentUpTo * entryPlaces + this.#since) * statusPlaces + status;
  }

  /**
   * The log's entries about the run as a whole; its end and its retries only once all changes are sent. After a broken
   * connection some may be sent again.
   */
  async *#entriesOfRun(isOver: boolean): AsyncGenerator<StreamEvent, void, undefined> {
    const where = { id: this.#id, workspaceId: this.#actor.workspaceId };
    const row = await database().execution.findFirst({ where, select: runLogColumns });
    if (row === null) return;
    for (const data of await runLogOf(row, this.#sentBefore, isOver)) {
      const isEarly = data.id === "ended" && !isOver;
      if (this.#entries.has(data.id) || isEarly || this.#since === entryPlaces - 1) continue;
      this.#entries.add(data.id);
      this.#since += 1;
      yield { id: this.#idOf(0), event: "log", data };
    }
  }

  async *#changes(isOpen: boolean): AsyncGenerator<StreamEvent, void, undefined> {
    for (let page = 0; ; page += 1) {
      const changes = await changesOfRun(this.#id, {
        nodesAfter: Math.max(this.#sentUpTo, this.#nodesAfter),
        logsAfter: this.#sentUpTo,
        isOpen,
        withPayloads: this.#withPayloads,
        withCounts: this.#withCounts,
      });
      // Sent before the changes of the same read, because a client that is cut off after a change resumes from it. The
      // end comes after all changes.
      if (page === 0 || changes.length > 0) yield* this.#entriesOfRun(false);
      for (const { sequence, event } of changes) {
        this.#sentUpTo = sequence;
        this.#since = 0;
        yield { id: this.#idOf(0), ...event };
      }
      if (changes.length === 0) return;
    }
  }
}
