import { eventAliases } from "#lib/contract/event-names.ts";
import type { ExecutionEvent } from "#lib/contract/webhooks.ts";
import { notOfDraft, ofDraft } from "#lib/executions/search/execution-filter.ts";

/** A run's change of state as SQL: expressions over the rows of `changed`, which has the execution's columns. */
interface StateChange {
  /** The name of the CTE with `id`, `workspace_id`, `flow_id`, `flow_name` and `source`. */
  readonly changed: string;
  /** The status in the event. */
  readonly status: string;
  readonly at: string;
  readonly durationMs: string;
  /** JSON text; evaluated only for subscribers. */
  readonly output: string;
}

// A UUIDv7: a v4 with the time in its first 48 bits.
const newUuid = `encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
  substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1),
  'hex')::uuid`;

/** An SQL expression for each field of an event, which gives its JSON. */
type SqlOf<Fields> = Readonly<Record<keyof Fields, string>>;

/** For text that needs no escaping in JSON. */
const quoted = (text: string) => `'"' || ${text} || '"'`;
/** `more`: SQL for the text of further fields, each preceded by a comma. */
const jsonObject = (fields: Readonly<Record<string, string>>, more = "''") =>
  `'{' || ${Object.entries(fields)
    .map(([name, value]) => `'"${name}":' || ${value}`)
    .join(" || ',' || ")} || ${more} || '}'`;

const names = (aliases: readonly string[]) => `ARRAY[${aliases.map((name) => `'${name}'`).join(", ")}]`;

/**
 * If the output has this many bytes or more, the event's body is stored once for all its deliveries. Smaller ones cost
 * less as copies.
 */
export const sharedBytesMin = 16_384;

/**
 * The CTE that inserts a state change's events, part of the statement that makes the change, so neither exists without
 * the other. One row for each active subscription of the workspace to the event, under the first of its names in the
 * subscription; without any, this is one index look-up. `sharing`: some outputs may
 * have `sharedBytesMin`, which makes the statement some 5 % slower even without subscriptions.
 */
export function writeEvents({ changed, status, at, durationMs, output }: StateChange, sharing = false): string {
  const { started, completed, failed, cancelled } = eventAliases;
  const data: SqlOf<Omit<ExecutionEvent["data"], "draft">> = {
    executionId: quoted(`${changed}.id`),
    flowId: quoted(`${changed}.flow_id`),
    flowName: `to_json(${changed}.flow_name)`,
    status: quoted(status),
    duration: `coalesce(${durationMs}::text, 'null')`,
    output: `coalesce(${output}, 'null')`,
  };
  const fields: SqlOf<Omit<ExecutionEvent, "test">> = {
    event: quoted("wanted.name"),
    timestamp: quoted(`to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`),
    data: jsonObject(data, `CASE WHEN ${changed}.${ofDraft} THEN ',"draft":true' ELSE '' END`),
  };
  const body = jsonObject(fields);
  const subscribers = `${changed}
    JOIN webhook_subscription s ON s.workspace_id = ${changed}.workspace_id AND s.active
    CROSS JOIN LATERAL (
      SELECT u.name FROM unnest(s.events) WITH ORDINALITY AS u(name, place)
      WHERE u.name = ANY(CASE ${status} WHEN 'running' THEN ${names(started)} WHEN 'completed' THEN ${names(completed)}
        WHEN 'cancelled' THEN ${names(cancelled)} ELSE ${names(failed)} END)
      ORDER BY u.place LIMIT 1) AS wanted`;
  const insert = (ownBody: string, bodyId: string, from: string) => `
  events AS (
    INSERT INTO webhook_delivery
      (id, subscription_id, execution_id, event, body, body_id, status, next_attempt_at, created_at)
    SELECT ${newUuid}, s.id, ${changed}.id, wanted.name, ${ownBody}, ${bodyId},
      'pending', ${dueAfterPrevious(changed, at)}, ${at}
    FROM ${from})`;
  if (!sharing) return insert(body, "NULL", subscribers);
  const withShared = `${subscribers}
    LEFT JOIN shared ON shared.run_id = ${changed}.id AND shared.name = wanted.name`;
  return `
  shared AS MATERIALIZED (
    SELECT ${changed}.id AS run_id, wanted.name, ${newUuid} AS id FROM ${subscribers}
    WHERE octet_length(${output}) >= ${sharedBytesMin} GROUP BY 1, 2 HAVING count(*) > 1),
  bodies AS (
    INSERT INTO webhook_body (id, body)
    SELECT wanted.id, ${body} FROM shared AS wanted JOIN ${changed} ON ${changed}.id = wanted.run_id),
  ${insert(`CASE WHEN shared.id IS NULL THEN ${body} ELSE '' END`, "shared.id", withShared)}`;
}

/** Due no earlier than the run's previous event: otherwise every poll would find this one in vain. */
function dueAfterPrevious(changed: string, at: string): string {
  return `greatest(${at}, (SELECT max(p.next_attempt_at) FROM webhook_delivery p
    WHERE p.execution_id = ${changed}.id AND p.subscription_id = s.id AND p.status = 'pending'))`;
}

/**
 * The INSERT of the failures for which flows with the trigger `error` start, part of the statement that ends runs, so
 * neither exists without the other. `ended`: the CTE with the execution's columns. Runs that such a trigger started,
 * and those of working copies, start none.
 */
export function writeFailures(ended: string): string {
  const orNull = (text: string) => `coalesce(to_json(${text})::text, 'null')`;
  const fields = {
    executionId: quoted(`${ended}.id`),
    flowId: quoted(`${ended}.flow_id`),
    flowName: `to_json(${ended}.flow_name)`,
    error: orNull(`${ended}.error_message`),
    code: orNull(`${ended}.error_code`),
    nodeId: orNull(`${ended}.error_node_id`),
    triggerType: quoted(`${ended}.trigger_type`),
  };
  const body = Object.entries(fields).map(([name, value]) => `'"${name}":' || ${value}`);
  return `
    INSERT INTO trigger_event (workspace_id, flow_id, kind, body, execution_id, depth)
    SELECT l.workspace_id, l.flow_id, 'error', '{' || ${body.join(" || ',' || ")} || '}', ${ended}.id, 0
    FROM ${ended} JOIN flow_listener l ON l.workspace_id = ${ended}.workspace_id AND l.kind = 'error'
    WHERE ${ended}.status IN ('failed', 'timeout') AND ${ended}.trigger_type <> 'error' AND ${ended}.${notOfDraft}
      AND CASE WHEN cardinality(l.flow_ids) = 0 THEN l.flow_id <> ${ended}.flow_id
        ELSE ${ended}.flow_id = ANY(l.flow_ids) END`;
}
