import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { executionListItem, searchedMax } from "#lib/contract/executions/executions.ts";
import { query } from "#lib/platform/database.ts";
import { findExecutions, listExecutions } from "./list-executions.ts";

const first = Date.parse("2026-02-01T00:00:00Z");
const extra = 5;

let actor: Actor;
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  const insert = `
    INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
      metadata, started_at, completed_at, duration_ms, timeout_ms, error_message)
    SELECT 'exec_' || lpad(n::text, 26, '0'), $1, 'flow_a', 'Orders', 1, 'failed', 'manual', '{"body":{}}', 'api',
      '{"order":"A-' || n || '"}', $2::timestamptz + n * interval '1 second', $2::timestamptz + n * interval '1 second', 0,
      1, 'No 100% match for _' || n
    FROM generate_series(1, $3::int) AS n`;
  await query("many-runs", insert, [actor.workspaceId, new Date(first), searchedMax + extra]);
});

const search = (text: string, filter: { startDate?: Date; status?: ["running"]; maxDuration?: number } = {}) =>
  findExecutions(actor, { page: 1, limit: 2, sortBy: "startedAt", order: "asc", search: text, ...filter });

test("searches the latest runs when there are more, and says how far it got", async () => {
  const { ids, total, searchedSince } = await search("orders");
  expect(total).toBe(searchedMax);
  expect(ids[0]).toBe(`exec_${String(extra + 1).padStart(26, "0")}`);
  expect(searchedSince).toBe(new Date(first + (extra + 1) * 1_000).toISOString());
});

test("searches all runs when the other filters leave fewer", async () => {
  const startDate = new Date(first + (searchedMax - 10) * 1_000);
  const { total, searchedSince } = await search("ORDERS", { startDate });
  expect([total, searchedSince]).toEqual([extra + 11, null]);
});

test.each([
  ["a-10004", 1],
  ["100% match for _10005", 1],
  ["100_", 0],
  ["order a-10004 orders", 1],
  ["_10005 match orders", 1],
  ["orders a-10004 _10005", 0],
  [" ", searchedMax],
  ["%", searchedMax],
  [`exec_${String(searchedMax).padStart(26, "0")}`, 1],
  ["nothing of the kind", 0],
])("%s is found %i times", async (text, count) => {
  expect((await search(text)).total).toBe(count);
});

test("finds nothing if status and duration exclude each other", async () => {
  const { ids, total } = await search("orders", { status: ["running"], maxDuration: 0 });
  expect([ids, total]).toEqual([[], 0]);
});

test("trigger data is passed on as stored, in chunks", async () => {
  const other = await newActor();
  const bodies = [{ a: 1 }, "\u0000\ud800".repeat(100_000), null, ["x".repeat(900_000)], {}];
  const insert = `
    INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
      metadata, started_at, timeout_ms)
    SELECT 'exec_' || lpad((n + 90000)::text, 26, '0'), $1, 'flow_b', 'Large', 1, 'running', 'webhook', trigger, 'webhook', '{}',
      $2::timestamptz + n * interval '1 second', 1
    FROM unnest($3::text[]) WITH ORDINALITY AS called (trigger, n)`;
  const triggers = bodies.map((body) => JSON.stringify({ headers: { body: "}" }, body, query: {} }));
  await query("large-runs", insert, [other.workspaceId, new Date(first), triggers]);
  const request = { page: 1, limit: 10, sortBy: "startedAt", order: "asc" } as const;
  const { texts, total } = await listExecutions(other, request);
  const items = [];
  for await (const text of texts) items.push(executionListItem.parse(JSON.parse(text)));
  expect(items.map(({ trigger }) => trigger.data)).toEqual(bodies);
  expect([total, items[0]?.flowName, items[0]?.source]).toEqual([bodies.length, "Large", "webhook"]);
  const fromElsewhere = await listExecutions(actor, { ...request, flowId: "flow_b" });
  expect([fromElsewhere.total, (await fromElsewhere.texts.next()).done]).toEqual([0, true]);
});
