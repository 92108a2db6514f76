import { query } from "#lib/platform/database.ts";
import { metrics, setGauge } from "#lib/platform/metrics.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";

// Each reads a small partial index, of open runs or of pending deliveries.
const states = `
  SELECT r.pending, r.oldest_pending, r.running, r.waiting, d.outbox, d.oldest_due FROM (
    SELECT count(*) FILTER (WHERE status = 'pending')::int AS pending,
      coalesce(extract(epoch FROM now() - min(started_at) FILTER (WHERE status = 'pending')), 0)::float8 AS oldest_pending,
      count(*) FILTER (WHERE status = 'running' AND wake_at IS NULL)::int AS running,
      count(*) FILTER (WHERE status = 'running' AND wake_at IS NOT NULL)::int AS waiting
    FROM execution WHERE status IN ('pending', 'running')) AS r,
  (SELECT count(*)::int AS outbox,
      greatest(0, coalesce(extract(epoch FROM now() - min(next_attempt_at)), 0))::float8 AS oldest_due
    FROM webhook_delivery WHERE status = 'pending') AS d`;

interface States {
  readonly pending: number;
  readonly oldest_pending: number;
  readonly running: number;
  readonly waiting: number;
  readonly outbox: number;
  readonly oldest_due: number;
}

/** Read from the database, so that every process reports the same. */
const shared: Readonly<Record<keyof States, readonly [name: string, help: string]>> = {
  pending: ["millrace_runs_pending", "Runs that no process has claimed yet; the same in every process"],
  oldest_pending: ["millrace_runs_pending_oldest_seconds", "Age of the oldest of them"],
  running: ["millrace_runs_running", "Runs that a process is driving; the same in every process"],
  waiting: ["millrace_runs_waiting", "Runs that wait for a time or a call and hold no process"],
  outbox: ["millrace_outbox_pending", "Events still to be delivered; the same in every process"],
  oldest_due: ["millrace_outbox_overdue_seconds", "How long the oldest due event has been overdue"],
};

/** All metrics in Prometheus's text format, with its content type. */
export async function readMetrics(): Promise<{ contentType: string; text: string }> {
  const [row] = await query<States>("metrics-states", states, []);
  for (const [name, [metric, help]] of Object.entries(shared)) setGauge(metric, help, row?.[name as keyof States] ?? 0);
  const { tasks, queued, killed } = outsideWorld().sandbox.stats();
  setGauge("millrace_sandbox_tasks", "Tasks that this process's sandbox was given since the process started", tasks);
  setGauge("millrace_sandbox_queued", "Tasks that wait for a child of the sandbox", queued);
  setGauge("millrace_sandbox_kills", "Children of the sandbox that were killed since the process started", killed);
  const { registry } = metrics();
  return { contentType: registry.contentType, text: await registry.metrics() };
}
