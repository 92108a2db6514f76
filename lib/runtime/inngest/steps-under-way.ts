import type { Run } from "#lib/executions/run.ts";
import { StopReason } from "#lib/executions/run.ts";
import { isUnavailable, query } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { stepLeaseSeconds } from "./claim-step.ts";
import { leaseMinutes } from "./lease.ts";

const beatMs = 1_000;

interface StepUnderWay {
  readonly run: Run;
  readonly stepId: string;
  readonly token: string;
}

// Also tells which are not to be done any more: the run was cancelled, or another function has it.
const renew = `
  WITH kept AS (
    UPDATE node_execution n SET claimed_until = now() + interval '${stepLeaseSeconds} seconds'
    FROM unnest($1::text[], $2::text[], $3::text[], $4::int[]) AS s(execution_id, node_id, token, fence)
    JOIN execution e ON e.id = s.execution_id AND e.fence = s.fence AND e.status = 'running'
    WHERE n.execution_id = s.execution_id AND n.node_id = s.node_id AND n.claimed_by = s.token
    RETURNING n.execution_id, n.claimed_by),
  alive AS (
    UPDATE execution SET lease_until = now() + interval '${leaseMinutes} minutes'
    WHERE id IN (SELECT execution_id FROM kept) AND status = 'running')
  SELECT claimed_by AS token FROM kept`;

const findCancelled = "SELECT id FROM execution WHERE id = ANY($1::text[]) AND status = 'cancelled'";

/** The steps that calls of Inngest functions are doing in this process: keeps their claims, and stops what is over. */
class StepsUnderWay {
  readonly #steps = new Map<string, StepUnderWay>();
  #timer: NodeJS.Timeout | undefined;

  get size(): number {
    return this.#steps.size;
  }

  add(step: StepUnderWay): void {
    this.#steps.set(step.token, step);
    this.#timer ??= setInterval(() => void this.#beat(), beatMs).unref();
  }

  delete(token: string): void {
    this.#steps.delete(token);
    if (this.#steps.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The process is going down: what is under way is left to another one. */
  handOver(): void {
    for (const { run } of this.#steps.values()) run.stop.abort(new StopReason("handover"));
  }

  /** The run was cancelled by this process. */
  cancel(executionId: string): void {
    for (const { run } of this.#steps.values()) {
      if (run.id === executionId) run.stop.abort(new StopReason("cancelled"));
    }
  }

  async #beat(): Promise<void> {
    try {
      const steps = [...this.#steps.values()];
      const rows = await query<{ token: string }>("renew-steps", renew, [
        steps.map(({ run }) => run.id),
        steps.map(({ stepId }) => stepId),
        steps.map(({ token }) => token),
        steps.map(({ run }) => run.fence),
      ]);
      const kept = new Set(rows.map((row) => row.token));
      await stop(steps.filter(({ token }) => !kept.has(token) && this.#steps.has(token)));
    } catch (error) {
      if (!isUnavailable(error)) logLine("error", "Steps could not be renewed", errorFields(error));
    }
  }
}

async function stop(steps: readonly StepUnderWay[]): Promise<void> {
  if (steps.length === 0) return;
  const ids = steps.map(({ run }) => run.id);
  const cancelled = new Set((await query<{ id: string }>("cancelled-steps", findCancelled, [ids])).map(({ id }) => id));
  for (const { run } of steps) run.stop.abort(new StopReason(cancelled.has(run.id) ? "cancelled" : "lost"));
}

export function stepsUnderWay(): StepsUnderWay {
  return singleton("inngest-steps", () => new StepsUnderWay());
}
