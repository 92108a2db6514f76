import { leaseSeconds } from "#lib/executions/insert-execution.ts";
import { runningRuns, stopRun } from "#lib/executions/running-runs.ts";
import { waitingRuns } from "#lib/executions/waiting-runs.ts";
import { workerBell } from "#lib/executions/worker-bell.ts";
import { sleep } from "#lib/platform/clock.ts";
import { isUnavailable, query } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { claimRuns } from "./claim-runs.ts";
import { driveRun } from "./drive-run.ts";
import { processName } from "./process-name.ts";

const pollMs = 500;
const heartbeatMs = 1_000;
const drainMs = 15_000;

// Also tells which runs are this process's no more: cancelled elsewhere, or taken over while it was not running.
const renew = `
  UPDATE execution SET lease_until = now() + interval '${leaseSeconds} seconds'
  WHERE id = ANY($1::text[]) AND lease_owner = $2 AND status = 'running' RETURNING id`;

const release = `
  UPDATE execution SET lease_until = now(), lease_owner = NULL
  WHERE lease_owner = $1 AND status = 'running'`;

/** The embedded runtime: does runs that nobody has, and keeps the leases of all runs of this process. */
export class Worker {
  #timers: NodeJS.Timeout[] = [];
  #free = env().executionConcurrency;
  #claiming = false;
  #again = false;
  #draining = false;

  start(): void {
    const poll = setInterval(() => this.wake(), pollMs);
    const beat = setInterval(() => void this.#heartbeat(), heartbeatMs);
    this.#timers = [poll.unref(), beat.unref()];
    workerBell().ring = () => this.wake();
    this.wake();
  }

  /** Looks for runs now: one was just stored, or a place became free. */
  wake(): void {
    if (this.#claiming) this.#again = true;
    else void this.#claim();
  }

  /** Stops taking runs, waits for those under way, and hands back what does not end in time. */
  async drain(): Promise<void> {
    this.#draining = true;
    const giveUpAt = Date.now() + drainMs;
    while (runningRuns().size > 0 && Date.now() < giveUpAt) {
      for (const run of waitingRuns().values()) run.letGo();
      await sleep(50);
    }
    for (const timer of this.#timers) clearInterval(timer);
    for (const id of runningRuns().keys()) stopRun(id, "handover");
    await query("release-leases", release, [processName()]);
  }

  async #claim(): Promise<void> {
    this.#claiming = true;
    try {
      do {
        this.#again = false;
        if (this.#draining || this.#free === 0) break;
        const claims = await claimRuns(this.#free);
        this.#free -= claims.length;
        for (const { run, recorded } of claims) {
          void driveRun(run, recorded).then(() => {
            this.#free += 1;
            this.wake();
          });
        }
      } while (this.#again);
    } catch (error) {
      if (!isUnavailable(error)) logLine("error", "Runs could not be claimed", errorFields(error));
    } finally {
      this.#claiming = false;
    }
  }

  async #heartbeat(): Promise<void> {
    const before = Date.now() - heartbeatMs;
    const ids = [...runningRuns().values()].filter((run) => Date.parse(run.startedAt) < before).map((run) => run.id);
    if (ids.length === 0) return;
    try {
      const rows = await query<{ id: string }>("renew-leases", renew, [ids, processName()]);
      const held = new Set(rows.map((row) => row.id));
      const gone = ids.filter((id) => !held.has(id));
      if (gone.length > 0) await stopGone(gone);
      // What woke a step may have come to another process.
      await Promise.all([...waitingRuns().values()].map((run) => run.look()));
    } catch (error) {
      if (!isUnavailable(error)) logLine("error", "Leases could not be renewed", errorFields(error));
    }
  }
}

async function stopGone(ids: readonly string[]): Promise<void> {
  const text = "SELECT id FROM execution WHERE id = ANY($1::text[]) AND status = 'cancelled'";
  const cancelled = new Set((await query<{ id: string }>("find-cancelled", text, [ids])).map((row) => row.id));
  for (const id of ids) stopRun(id, cancelled.has(id) ? "cancelled" : "lost");
}

/** This process's worker, started when first asked for. */
export function worker(): Worker {
  return singleton("worker", () => {
    const made = new Worker();
    made.start();
    return made;
  });
}
