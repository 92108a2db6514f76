import { durationInWords } from "#lib/duration.ts";
import type { WaitKind } from "#lib/engine/wait.ts";
import { iso } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import type { ExecutionModel } from "#lib/platform/prisma/models.ts";
import { shownSource } from "./search/execution-filter.ts";

/** Events of a run's history that its log shows: a loop may have waited any number of times. */
const eventsMax = 1_000;

type RunRow = Pick<
  ExecutionModel,
  | "id"
  | "workspaceId"
  | "status"
  | "source"
  | "triggerType"
  | "metadata"
  | "startedAt"
  | "completedAt"
  | "durationMs"
  | "errorMessage"
  | "originalExecutionId"
  | "fromNode"
>;

interface WaitOfRun {
  readonly stepId: string;
  readonly kind: WaitKind;
  readonly until: Date | null;
  readonly waitedId: string | null;
  readonly createdAt: Date;
  /** When a call arrived, if any. */
  readonly resumedAt: Date | null;
  /** When the waiting step ended; null while it waits. */
  readonly endedAt: Date | null;
}

interface StoredWait extends WaitOfRun, Record<string, unknown> {
  /** The step's position in the order of changes; null until the step is stored. */
  readonly sequence: string | null;
}

interface RetryOfRun {
  readonly id: string;
  readonly startedAt: Date;
}

/** An entry about the run as a whole, in the form of other log entries. */
interface RunLogEntry {
  readonly id: string;
  readonly timestamp: string;
  /** Never "error": logged errors are counted, and a failed run already has its node's. */
  readonly level: "info";
  readonly nodeId: null;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The columns that a run's log is derived from. */
export const runLogColumns = {
  id: true,
  workspaceId: true,
  status: true,
  source: true,
  triggerType: true,
  metadata: true,
  startedAt: true,
  completedAt: true,
  durationMs: true,
  errorMessage: true,
  originalExecutionId: true,
  fromNode: true,
} as const satisfies Record<keyof RunRow, true>;

/**
 * Log entries about the run as a whole: started, waiting, woken, ended, retried. Derived from its record on read, so a
 * run writes nothing for them. `after` leaves out entries no later than the change at this position. Retries are read
 * only on request.
 */
export async function runLogOf(row: RunRow, after = 0, withRetries = true): Promise<RunLogEntry[]> {
  const [waits, retries] = await Promise.all([
    query<StoredWait>("waits-of-run", readWaits, [row.id]),
    withRetries
      ? query<RetryOfRun & Record<string, unknown>>("retries-of-run", readRetries, [row.id, row.workspaceId])
      : [],
  ]);
  const laterWaits = waits.filter(({ sequence }) => sequence === null || Number(sequence) > after);
  const entries = entriesOfRun(row, laterWaits, retries);
  return after === 0 ? entries : entries.filter(({ id }) => id !== "started");
}

const readWaits = `
  SELECT w.step_id AS "stepId", w.kind, w.until, w.waited_id AS "waitedId", w.created_at AS "createdAt",
    w.resumed_at AS "resumedAt", n.completed_at AS "endedAt", n.sequence
  FROM execution_wait w LEFT JOIN node_execution n ON n.execution_id = w.execution_id AND n.node_id = w.step_id
  WHERE w.execution_id = $1 AND w.state IS NOT NULL ORDER BY w.created_at, w.step_id LIMIT ${eventsMax}`;

const readRetries = `
  SELECT id, started_at AS "startedAt" FROM execution WHERE original_execution_id = $1 AND workspace_id = $2
  ORDER BY started_at, id LIMIT ${eventsMax}`;

/** The entries in chronological order, the start first. */
export function entriesOfRun(row: RunRow, waits: readonly WaitOfRun[], retries: readonly RetryOfRun[]): RunLogEntry[] {
  const between = [...waits.flatMap(entriesOfWait), ...retries.map(entryOfRetry), ...entryOfEnd(row)];
  const inOrder = between.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
  return [entryOfStart(row), ...inOrder];
}

const starters: Readonly<Record<string, string>> = {
  api: "the API",
  webhook: "its trigger URL",
  schedule: "its schedule",
  ui: "a person in the editor",
  table: "a change of a table",
  error: "a failed run",
  poll: "an item that its poll found",
  rss: "an entry of a feed",
  mail: "a mail",
};

function entryOfStart({
  source,
  triggerType,
  metadata,
  startedAt,
  originalExecutionId,
  fromNode,
}: RunRow): RunLogEntry {
  const { parentExecutionId } = JSON.parse(metadata) as { parentExecutionId?: unknown };
  const shown = shownSource(source);
  const isChild = shown === "sub-flow" && typeof parentExecutionId === "string";
  const from = fromNode === null ? "" : ` from the node "${fromNode}"`;
  const message =
    originalExecutionId === null
      ? `Started by ${isChild ? `the execution ${parentExecutionId}` : (starters[shown] ?? triggerType)}`
      : `Started as a retry of ${originalExecutionId}${from}`;
  const data = {
    event: "started",
    source: shown,
    ...(isChild ? { parentExecutionId } : {}),
    ...(originalExecutionId === null ? {} : { originalExecutionId }),
    ...(fromNode === null ? {} : { fromNode }),
  };
  return entry("started", startedAt, message, data);
}

const wakers: Readonly<Record<WaitKind, string>> = {
  time: "its time is up",
  call: "a call came",
  execution: "the execution has ended",
  event: "an event came",
};

function entriesOfWait(wait: WaitOfRun): RunLogEntry[] {
  const { stepId, kind, until, waitedId, createdAt, resumedAt, endedAt } = wait;
  const limit = until === null ? "" : `until ${iso(until)}`;
  const subject = {
    time: "waits",
    call: "waits for a call",
    event: "waits for an event",
    execution: `waits for the execution ${waitedId ?? "it started"}`,
  };
  const data = { nodeId: stepId, kind, until: until === null ? null : iso(until) };
  const startedAt = resumedAt !== null && resumedAt < createdAt ? resumedAt : createdAt;
  const begun = entry(
    `waiting:${stepId}`,
    startedAt,
    `The node "${stepId}" ${[subject[kind], limit].join(" ").trim()}`,
    {
      event: "waiting",
      ...data,
    },
  );
  const at = resumedAt ?? endedAt;
  if (at === null) return [begun];
  const wokenBy = resumedAt !== null ? (kind === "event" ? kind : "call") : kind === "execution" ? kind : "time";
  const wokenAt = new Date(Math.max(at.getTime(), startedAt.getTime()));
  const by = wakers[wokenBy];
  const woken = entry(`woken:${stepId}`, wokenAt, `The node "${stepId}" continues: ${by}`, {
    event: "woken",
    ...data,
    by: wokenBy,
  });
  return [begun, woken];
}

function entryOfRetry({ id, startedAt }: RetryOfRun): RunLogEntry {
  return entry(`retried:${id}`, startedAt, `Retried as ${id}`, { event: "retried", executionId: id });
}

const endings: Readonly<Record<string, string>> = {
  completed: "Completed in",
  failed: "Failed after",
  timeout: "Timed out after",
  cancelled: "Cancelled after",
};

function entryOfEnd({ status, completedAt, durationMs, errorMessage }: RunRow): RunLogEntry[] {
  const verb = endings[status];
  if (verb === undefined || completedAt === null) return [];
  const cause = errorMessage === null ? "" : `: ${errorMessage}`;
  const message = `${verb} ${durationInWords(durationMs ?? 0)}${cause}`;
  const ended = entry("ended", completedAt, message, { event: "ended", status, duration: durationMs });
  return [ended];
}

function entry(id: string, at: Date, message: string, data: RunLogEntry["data"]): RunLogEntry {
  return { id, timestamp: iso(at), level: "info", nodeId: null, message, data };
}
