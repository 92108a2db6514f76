import { findWoken } from "#lib/executions/store/read-records.ts";
import { newLease } from "#lib/executions/store/run-row.ts";
import { runningRuns, stopRun, waitingRuns } from "#lib/executions/store/runs-in-process.ts";
import { sleep } from "#lib/platform/clock.ts";
import { isUnavailable, query } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { OneAtATime } from "#lib/platform/one-at-a-time.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { driveRun } from "#lib/runtime/drive/drive-run.ts";
import { processName } from "#lib/runtime/runtime.ts";
import { admitRuns } from "./admit-runs.ts";
import { type Claim, claimRuns } from "./claim-runs.ts";
import { RunSlots } from "./run-slots.ts";

const pollMs = 500;
const heartbeatMs = 1_000;
const drainMs = 15_000;
/** Longer than a statement of another process may have waited for the database. */
const afterOutageMs = 6_000;

// Leaves out the runs that this process no longer owns: cancelled elsewhere, or taken over while it was stalled. Locks
// rows in the order of their ids, as statements that end runs do: otherwise, the two can deadlock.
const renew = `
  WITH own AS (
    SELECT id FROM execution WHERE id = ANY($1::text[]) AND lease_owner = $2 AND status = 'running'
    ORDER BY id FOR NO KEY UPDATE)
  UPDATE execution e SET lease_until = ${newLease}
  FROM own WHERE e.id = own.id RETURNING e.id`;

const release = `
  UPDATE execution SET lease_until = now(), lease_owner = NULL
  WHERE lease_owner = $1 AND status = 'running'`;

/** Renews the leases of this process's runs and, once started, claims pending ones. With Inngest it never claims. */
export class Worker {
  readonly #claims = new OneAtATime(() => {
    this.#claiming = this.#claim();
    return this.#claiming;
  });
  readonly #admissions = new OneAtATime(() => this.#admit());
  // One at a time, because they would take all connections while the database is slow.
  readonly #heartbeats = new OneAtATime(() => this.#heartbeat());
  readonly #places = new RunSlots(env().executionConcurrency);
  #timers: NodeJS.Timeout[] = [];
  #claiming: Promise<void> | undefined;
  /** The runs of the last heartbeat. */
  #seen: ReadonlySet<string> = new Set();
  /** By the monotonic clock. After an outage, the processes whose leases have expired renew them first. */
  #takesOverFrom = 0;
  #draining = false;
  #isDrained = false;
  #takesRuns = false;

  start(): void {
    const poll = setInterval(() => {
      this.wake();
      this.admit();
    }, pollMs);
    const heartbeat = setInterval(() => this.#heartbeats.request(), heartbeatMs);
    this.#timers = [poll.unref(), heartbeat.unref()];
  }

  /** Starts claiming runs. */
  takeRuns(): void {
    this.#takesRuns = true;
    this.wake();
  }

  /** Polls for runs now: one was just stored, or a slot became free. */
  wake(): void {
    if (this.#takesRuns) this.#claims.request();
  }

  /** Runs admission now: a run of a limited flow was stored or has ended. */
  admit(): void {
    if (this.#takesRuns) this.#admissions.request();
  }

  /** True once runs in progress have ended or were released: this process can drive no more. */
  get isDrained(): boolean {
    return this.#isDrained;
  }

  /** Stops claiming, waits for runs in progress, and releases those that do not end in time. */
  async drain(): Promise<void> {
    this.#draining = true;
    const giveUpAt = performance.now() + drainMs;
    while (runningRuns().size > 0 && performance.now() < giveUpAt) {
      for (const run of waitingRuns().values()) run.suspend();
      await sleep(50);
    }
    this.#isDrained = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const id of runningRuns().keys()) stopRun(id, "handover");
    // What a claim in progress still gets is released, too.
    await this.#claiming;
    await query("release-leases", release, [processName()]);
  }

  async #claim(): Promise<void> {
    try {
      // Runs end in batches: one claim fills all slots freed in this turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      for (let isMore = true; isMore && !this.#draining && this.#places.free > 0; ) {
        const requested = this.#places.nextClaim;
        const takesOver = performance.now() >= this.#takesOverFrom;
        const claims = await claimRuns(requested, { ...this.#places.turn, takesOver });
        if (this.#draining) return;
        isMore = this.#places.take(claims, requested);
        for (const claim of claims) void this.#do(claim);
      }
    } catch (error) {
      this.#failed(error, "Runs could not be claimed");
    }
  }

  #failed(error: unknown, message: string): void {
    if (isUnavailable(error)) this.#takesOverFrom = performance.now() + afterOutageMs;
    else logLine("error", message, errorFields(error));
  }

  async #do({ run, recorded, isLimited }: Claim): Promise<void> {
    await driveRun(run, recorded);
    this.#places.release(run);
    this.wake();
    if (isLimited) this.admit();
  }

  async #admit(): Promise<void> {
    if (this.#draining) return;
    try {
      if ((await admitRuns()) > 0) this.wake();
    } catch (error) {
      this.#failed(error, "Runs could not be admitted");
    }
  }

  /** Runs started since the last heartbeat have a fresh lease. Does not compare times: the clock may have been set. */
  async #heartbeat(): Promise<void> {
    const ids = [...runningRuns().keys()].filter((id) => this.#seen.has(id));
    this.#seen = new Set(runningRuns().keys());
    if (ids.length === 0) return;
    const stored = new Set(ids.filter((id) => runningRuns().get(id)?.isStored()));
    try {
      const rows = await query<{ id: string }>("renew-leases", renew, [ids, processName()]);
      const held = new Set(rows.map((row) => row.id));
      const lost = ids.filter((id) => !held.has(id));
      if (lost.length > 0) await stopLostRuns(lost, stored);
      await checkWaitingRuns();
    } catch (error) {
      this.#failed(error, "Leases could not be renewed");
    }
  }
}

/** Resumes the waiting runs that were woken: another process may have received the call. */
async function checkWaitingRuns(): Promise<void> {
  const stepsOf = (id: string) => waitingRuns().get(id)?.stepIds ?? [];
  const waiting = [...waitingRuns().keys()].flatMap((id) => stepsOf(id).map((stepId) => [id, stepId] as const));
  await Promise.all((await findWoken(waiting)).map((id) => waitingRuns().get(id)?.check()));
}

/** `stored`: the runs that had a record. Without one, the database is slow, and nobody else can have claimed the run. */
async function stopLostRuns(ids: readonly string[], stored: ReadonlySet<string>): Promise<void> {
  const text = "SELECT id, status FROM execution WHERE id = ANY($1::text[])";
  const rows = await query<{ id: string; status: string }>("find-gone", text, [ids]);
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  for (const id of ids) {
    const status = statuses.get(id);
    // A missing record was deleted, and the run with it.
    if (status !== undefined || stored.has(id)) stopRun(id, status === "cancelled" ? "cancelled" : "lost");
  }
}

/** This process's worker, started on first use. */
export function worker(): Worker {
  return singleton("worker", () => {
    const made = new Worker();
    made.start();
    return made;
  });
}
