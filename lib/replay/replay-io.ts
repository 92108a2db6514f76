import type { Outcome } from "#lib/engine/outcome.ts";
import type { Begun, RunIo } from "#lib/engine/run.ts";
import { recordedStep, type Step } from "#lib/engine/step.ts";
import type { Waiting, WaitRequest } from "#lib/engine/wait.ts";
import { isRecordedFirst, nodeDefinition } from "#lib/nodes/registry.ts";
import { nextTurn } from "#lib/platform/turns.ts";
import { memberOf, nextOf, wakeOf } from "./recording.ts";
import type { Replaying } from "./replay-node.ts";
import type { ReplayRecords } from "./replay-records.ts";

/**
 * A moment in a replay's virtual time: computing takes none, an outside effect takes some, and waits end at their time.
 * This makes the order deterministic.
 */
interface Moment {
  readonly phase: "compute" | "effect" | "wait";
  /** Epoch milliseconds: of two waits, the earlier one ends first. */
  readonly at?: number;
}

interface Item extends Required<Moment> {
  readonly order: number;
  readonly perform: () => Promise<void>;
  readonly reject: (reason: unknown) => void;
}

const phases = ["compute", "effect", "wait"];

/**
 * Runs one piece of work at a time and yields after each, so that everything that follows from it is scheduled before
 * the next.
 */
class Schedule {
  readonly #items: Item[] = [];
  #count = 0;
  #isBusy = false;
  #over: { readonly reason: unknown } | null = null;
  #isDropped = false;

  /** Runs the work when its moment has come; resolves with its result. */
  add<T>({ phase, at = 0 }: Moment, work: () => T | Promise<T>): Promise<T> {
    if (this.#isDropped) return new Promise(() => {});
    if (this.#over !== null) return Promise.reject(this.#over.reason);
    return new Promise<T>((resolve, reject) => {
      const perform = async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      };
      this.#items.push({ phase, at, order: this.#count++, perform, reject });
      void this.#go();
    });
  }

  /** Rejects all remaining work. */
  end(reason: unknown): void {
    this.#over ??= { reason };
    for (const { reject } of this.#items.splice(0)) reject(reason);
  }

  /** Drops all remaining work: the run has ended without it. */
  drop(): void {
    this.#isDropped = true;
    this.#items.length = 0;
  }

  async #go(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (;;) {
      await nextTurn();
      const item = this.#takeFirst();
      if (item === undefined) break;
      await item.perform();
    }
    this.#isBusy = false;
  }

  #takeFirst(): Item | undefined {
    let best = 0;
    for (const [index, item] of this.#items.entries()) {
      const first = this.#items[best];
      if (first !== undefined && isBefore(item, first)) best = index;
    }
    return this.#items.splice(best, 1)[0];
  }
}

function isBefore(a: Item, b: Item): boolean {
  const phase = phases.indexOf(a.phase) - phases.indexOf(b.phase);
  if (phase !== 0) return phase < 0;
  return a.at === b.at ? a.order < b.order : a.at < b.at;
}

/** Steps run one at a time, in an order that depends only on the flow and its recordings. */
export class ReplayIo implements RunIo {
  readonly schedule = new Schedule();
  readonly wakes = new Map<string, ReturnType<typeof wakeOf>>();
  readonly #replaying: Replaying;
  readonly #records: ReplayRecords;

  constructor(replaying: Replaying, records: ReplayRecords) {
    this.#replaying = replaying;
    this.#records = records;
  }

  async task(step: Step, work: () => Promise<Begun>): Promise<Begun | null> {
    const recorded = recordedStep(this.#records, step.id);
    if (recorded !== null) return recorded;
    const { type } = step.node.node;
    this.#replaying.begun.add(step.id);
    const isEffect = nodeDefinition(type)?.effect === "outside";
    const { injected } = this.#replaying;
    const act = () => {
      if (isRecordedFirst(type)) this.#records.write(step.id);
      return work();
    };
    if (isEffect) injected?.enter(step);
    const begun = await this.schedule.add({ phase: isEffect ? "effect" : "compute" }, act);
    injected?.leave(step);
    if (this.#replaying.open.has(step.id)) return null;
    if (begun.status === "waiting") this.#records.waiting(step.id, begun.wait);
    else if (begun.status === "iterating") this.#records.iterates(step.id, begun);
    else this.#end(step, begun);
    return begun;
  }

  /** What woke it. Without a recording, the wake is never seen: the node fails. */
  async wait(step: Step, request: WaitRequest) {
    const wake = await this.schedule.add(this.#momentOf(step, request), () => wakeOf(this.#replaying, step, request));
    this.wakes.set(step.id, wake);
    if (wake === null && this.#replaying.leavesOpen) {
      this.#replaying.notRecorded.add(step.node.node.id);
      this.#replaying.open.add(step.id);
      return null;
    }
    return wake ?? { by: "time" as const, at: this.#replaying.run.startedAt, value: null };
  }

  async finish<Ended extends Outcome | Waiting>(step: Step, work: () => Promise<Ended>): Promise<Ended> {
    const ended = await this.schedule.add({ phase: "compute" }, work);
    const outcome: Outcome | Waiting = ended;
    if (outcome.status === "waiting") this.#records.waiting(step.id, outcome.wait);
    else this.#end(step, outcome);
    return ended;
  }

  #end(step: Step, outcome: Outcome): void {
    this.#replaying.used.steps += 1;
    this.#replaying.ended.set(step.id, outcome);
    this.#records.ended(step.id, outcome);
  }

  #momentOf(step: Step, { kind, until }: WaitRequest): Moment {
    if (kind === "execution") return { phase: "effect" };
    const { taken, nowMs } = this.#replaying;
    if (kind === "time") return { phase: "wait", at: until ?? nowMs };
    const entry = taken.get(step.id) ?? nextOf(this.#replaying, step);
    if (entry !== null) taken.set(step.id, entry);
    const resumedAt = entry !== null && "output" in entry ? memberOf(entry.output, "resumedAt") : undefined;
    const resumedMs = typeof resumedAt === "string" ? Date.parse(resumedAt) : Number.NaN;
    return { phase: "wait", at: Number.isNaN(resumedMs) ? (until ?? nowMs) : resumedMs };
  }
}
