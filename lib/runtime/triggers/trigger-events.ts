import { depthHeader, depthMax, depthOf } from "#lib/engine/flow-body.ts";
import { AppError } from "#lib/errors.ts";
import type { TriggerData } from "#lib/executions/run.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { triggerText } from "#lib/executions/store/new-execution.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { isUnavailable, query, type RunStatement } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { derivedId } from "#lib/platform/ids.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { Poller } from "#lib/platform/one-at-a-time.ts";
import { textArray } from "#lib/platform/rows-parameter.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { type PreparedRun, prepareRun, queueTogether } from "#lib/runtime/start/queue-run.ts";

/** An event that starts a flow. */
interface EventRow extends StartedFlow, Record<string, unknown> {
  readonly event: string;
  readonly kind: "table" | "error";
  readonly executionId: string | null;
  readonly depth: number;
  readonly createdAt: Date;
  readonly tries: number;
  /** False if the flow was deleted, or is no longer active. */
  readonly isActive: boolean;
}

/** How many workspaces' events one statement finds, and how many of each. */
const workspacesMax = 50;
const shareMax = 10;

// Finds workspaces one by one in the index, those after $1 but not $2, so that one with ten thousand events does not
// delay others.
const isDue = "due_at <= now()";
const findEvents = `
  WITH RECURSIVE workspaces AS (
    (SELECT workspace_id AS id, 1 AS place FROM trigger_event
      WHERE workspace_id > $1 AND workspace_id <> ALL($2::text[]) AND ${isDue} ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT n.workspace_id, w.place + 1 FROM workspaces w CROSS JOIN LATERAL (
      SELECT workspace_id FROM trigger_event
      WHERE workspace_id > w.id AND workspace_id <> ALL($2::text[]) AND ${isDue} ORDER BY workspace_id LIMIT 1) n
    WHERE w.place < ${workspacesMax})
  SELECT e.id::text AS event, e.kind, e.execution_id AS "executionId", e.depth, e.created_at AS "createdAt", e.tries,
    w.id AS "workspaceId", e.flow_id AS id, f.name, f.version, f.settings,
    coalesce(f.status = 'active', false) AS "isActive"
  FROM workspaces w CROSS JOIN LATERAL (
    SELECT id, kind, execution_id, depth, created_at, tries, flow_id FROM trigger_event
    WHERE workspace_id = w.id AND ${isDue} ORDER BY id LIMIT ${shareMax}) e
  LEFT JOIN flow f ON f.id = e.flow_id
  ORDER BY w.id, e.id`;

const dropEvent = "DELETE FROM trigger_event WHERE id = $1";
// Skips an event that another process is taking.
const takeEvent = `
  DELETE FROM trigger_event WHERE id = (SELECT id FROM trigger_event WHERE id = $1 FOR UPDATE SKIP LOCKED) RETURNING id`;

/** The result of handling an event. `passed`: another process took it. `full`: its workspace has too many queued runs. */
type EventResult = "started" | "dropped" | "postponed" | "passed" | "full";

/**
 * Starts a run for each event; returns how many it started. Safe to call in several processes at once: the transaction
 * that stores a run deletes its event. Workspaces take turns, a few events each. While a workspace has too many queued
 * runs, its events wait.
 */
export async function startForEvents(): Promise<number> {
  const full = new Set<string>();
  let started = 0;
  for (let isMore = true; isMore; ) {
    const results = await startRound(full);
    started += results.filter((result) => result === "started").length;
    isMore = results.some((result) => result !== "passed" && result !== "full");
  }
  return started;
}

async function startRound(full: Set<string>): Promise<EventResult[]> {
  const results: EventResult[] = [];
  for (let after = ""; ; ) {
    const rows = await query<EventRow>("find-trigger-events", findEvents, [after, textArray([...full])]);
    for (const row of rows) {
      if (full.has(row.workspaceId)) continue;
      const result = await tryStart(row);
      if (result === "full") full.add(row.workspaceId);
      results.push(result);
    }
    const last = rows.at(-1);
    if (last === undefined) return results;
    after = last.workspaceId;
  }
}

/** Throws if the database is unavailable; any other failure is the event's own and does not delay others. */
async function tryStart(row: EventRow): Promise<EventResult> {
  try {
    return await start(row);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (error instanceof AppError && error.code === "SERVICE_UNAVAILABLE") return "full";
    return await postpone(row, error);
  }
}

async function start(row: EventRow): Promise<EventResult> {
  const prepared = row.isActive ? await preparedRun(row) : null;
  if (prepared === null) {
    await query("drop-trigger-event", dropEvent, [row.event]);
    return "dropped";
  }
  const take = async (run: RunStatement) => (await run("take-trigger-event", takeEvent, [row.event])).length > 0;
  return (await queueTogether([prepared], { take })) ? "started" : "passed";
}

const triesMax = 5;
const postponeEvent = `
  UPDATE trigger_event SET tries = tries + 1, due_at = now() + interval '1 minute' WHERE id = $1`;

async function postpone(row: EventRow, error: unknown): Promise<EventResult> {
  const { event, id: flowId, tries } = row;
  const isLast = tries + 1 >= triesMax;
  const message = `A flow could not be started${isLast ? ", and is not tried again" : ""}`;
  logLine("error", message, { flowId, event, tries: tries + 1, ...errorFields(error) });
  if (isLast) await query("drop-trigger-event", dropEvent, [event]);
  else await query("postpone-trigger-event", postponeEvent, [event]);
  return isLast ? "dropped" : "postponed";
}

const readBody = "SELECT body FROM trigger_event WHERE id = $1";

/** The run to start; null if flows called each other too deeply, or another process has started it. */
async function preparedRun(row: EventRow): Promise<PreparedRun | null> {
  const [stored] = await query<{ body: string }>("read-trigger-event", readBody, [row.event]);
  if (stored === undefined) return null;
  const body = await parseOwnJson(stored.body);
  const input = row.kind === "error" ? await failureInput(row, body) : { body, depth: row.depth };
  if (input.depth > depthMax) {
    logLine("warning", "A flow was not started: the chain of flows is too long", { flowId: row.id });
    return null;
  }
  const headers: Record<string, string> = input.depth === 0 ? {} : { [depthHeader]: String(input.depth) };
  return await prepareRun(row, {
    id: derivedId("execution", row.createdAt, `trigger event ${row.event}`),
    triggerType: row.kind,
    trigger: await triggerText({ body: input.body, headers, query: {}, method: "POST" }),
    source: row.kind,
    ip: null,
    userAgent: null,
  });
}

const readTrigger = "SELECT trigger FROM execution WHERE id = $1";

/** A flow's input for a failed run, and the depth of its own run. */
async function failureInput({ executionId }: EventRow, event: unknown): Promise<{ body: unknown; depth: number }> {
  const { triggerType, ...failure } = event as Record<string, unknown>;
  const [stored] = await query<{ trigger: string }>("read-failed-trigger", readTrigger, [executionId]);
  // The run may have been deleted meanwhile.
  const trigger = stored === undefined ? null : ((await parseOwnJson(stored.trigger)) as TriggerData);
  const url = `${env().publicUrl}/runs/${executionId}`;
  return {
    body: { ...failure, trigger: { type: triggerType, data: trigger?.body ?? null }, url },
    depth: trigger === null ? 1 : depthOf(trigger.headers) + 1,
  };
}

/** A poll is one query on a table that is usually empty. */
const pollMs = 500;

/** Starts flows for the events that they listen for; started on first use, in every process. */
export function triggerEvents(): Poller {
  return singleton("trigger-events", () =>
    new Poller(pollMs, "Flows could not be started for what happened", startForEvents).start(),
  );
}
