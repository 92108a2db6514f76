import type { WaitRequest, Wake } from "#lib/engine/wait.ts";
import type { OpenWaits as Suspension } from "#lib/executions/store/record-wait.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { timerMsMax } from "./work-clock.ts";

/** Shorter waits stay in memory: suspending and resuming would cost more. */
export const shortWaitMs = 5_000;
/** How long to wait in memory for another execution to end. */
const executionGraceMs = 1_000;

interface OpenWait {
  readonly request: WaitRequest;
  readonly openedAt: number;
  readonly resolve: (wake: Wake | null) => void;
  /** True once `wakeDue` has returned it. */
  isOverdue: boolean;
}

/** The waits of a run that this process keeps in memory. */
export class OpenWaits {
  readonly #open = new Map<string, OpenWait>();
  /** Epoch milliseconds until which a caller waits for the run: until then it is not suspended for a short wait. */
  readonly #holdUntil: number;
  readonly #onTime: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `onTime` is called when a wait may be due. */
  constructor(holdUntil: number, onTime: () => void) {
    this.#holdUntil = holdUntil;
    this.#onTime = onTime;
  }

  get size(): number {
    return this.#open.size;
  }

  get stepIds(): string[] {
    return [...this.#open.keys()];
  }

  add(stepId: string, request: WaitRequest): Promise<Wake | null> {
    return new Promise((resolve) => {
      this.#open.set(stepId, { request, openedAt: nowMs(), resolve, isOverdue: false });
    });
  }

  wake(stepId: string, wake: Wake): void {
    this.#open.get(stepId)?.resolve(wake);
    this.#open.delete(stepId);
  }

  /**
   * Wakes what waited for a time that has come, and schedules `onTime` for the next wait. Returns the steps that wait
   * for something else and whose time limit has passed, each once: `timeOut` wakes them.
   */
  wakeDue(): string[] {
    const now = nowMs();
    const overdue: string[] = [];
    for (const [stepId, wait] of this.#open) {
      const { kind, until } = wait.request;
      if (until === null || until > now) continue;
      if (kind === "time") this.timeOut([stepId]);
      else if (!wait.isOverdue) {
        wait.isOverdue = true;
        overdue.push(stepId);
      }
    }
    clearTimeout(this.#timer);
    const next = this.#nextPollAt(now);
    if (next !== null) this.#timer = setTimeout(this.#onTime, Math.min(Math.max(1, next - now), timerMsMax));
    return overdue;
  }

  /** Wakes those of these steps that still wait: their time limit has passed. */
  timeOut(stepIds: readonly string[]): void {
    for (const stepId of stepIds) {
      const until = this.#open.get(stepId)?.request.until ?? 0;
      this.wake(stepId, { by: "time", at: new Date(until).toISOString(), value: null });
    }
  }

  /** True if a wait is short enough to keep the run in memory. */
  get isShort(): boolean {
    const now = nowMs();
    const latest = Math.max(now + shortWaitMs, this.#holdUntil);
    return [...this.#open.values()].some((wait) => {
      if (wait.request.kind === "execution" && now < this.#patience(wait)) return true;
      return wait.request.until !== null && wait.request.until <= latest;
    });
  }

  /** Releases all waits unfinished. Returns what they wait for. */
  suspend(): Suspension {
    const waits = [...this.#open];
    const untils = waits.flatMap(([, { request }]) => request.until ?? []);
    for (const [, { resolve }] of waits) resolve(null);
    this.close();
    return {
      stepIds: waits.map(([stepId]) => stepId),
      executionIds: waits.flatMap(([, { request }]) =>
        request.kind === "execution" ? [String(request.state.executionId)] : [],
      ),
      until: untils.length === 0 ? null : Math.min(...untils),
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#open.clear();
  }

  #patience({ openedAt }: OpenWait): number {
    return Math.max(openedAt + executionGraceMs, this.#holdUntil);
  }

  /** When to check next: when the first wait is due, or when the grace for another execution ends. */
  #nextPollAt(now: number): number | null {
    const times = [...this.#open.values()].flatMap((wait) => {
      const patience = wait.request.kind === "execution" ? this.#patience(wait) : null;
      return [wait.request.until, patience].filter((time) => time !== null && time > now);
    });
    return times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);
  }
}
