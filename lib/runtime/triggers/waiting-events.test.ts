// Events of flows wait in a table: one workspace's keep no other's waiting, and they are bounded.
import { beforeEach, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { insertRow } from "#lib/tables/rows/write-rows.ts";
import { createTable } from "#lib/tables/tables.ts";
import { startForEvents } from "./trigger-events.ts";

let actor: Actor;
inOwnDatabase();
beforeEach(async () => {
  actor = await newActor();
});

function listening(table: string) {
  const trigger = { type: "table", config: { table } } as const;
  return createFlow(actor, {
    name: "Listening",
    status: "active",
    tags: [],
    variables: {},
    trigger,
    nodes: [],
    edges: [],
  });
}

const newTable = () => {
  const column = { name: "n", type: "number" as const, unique: false, indexed: false, required: false };
  return createTable(actor, { name: "orders", columns: [column] });
};

/** The numbers in the rows for which a flow's runs started, in order. */
async function startedWith(flowId: string): Promise<number[]> {
  const text = "SELECT trigger FROM execution WHERE flow_id = $1 ORDER BY id";
  const rows = await queryPlanned<{ trigger: string }>(text, [flowId]);
  return rows.map(({ trigger }) => JSON.parse(trigger).body.row.n);
}

describe("events of one workspace", () => {
  const eventsOf = (flowId: string) => queryPlanned("SELECT tries FROM trigger_event WHERE flow_id = $1", [flowId]);

  test("delay another workspace's by no more than a few of them", async () => {
    const table = await newTable();
    const many = await listening(table.id);
    for (let n = 0; n < 30; n += 1) await insertRow(actor, table.id, { n });
    actor = await newActor();
    const other = await newTable();
    const listener = await listening(other.id);
    await insertRow(actor, other.id, { n: 1 });
    expect(await startForEvents()).toBe(31);
    const text =
      "SELECT count(*)::int AS n FROM execution WHERE flow_id = $1 AND started_at < (SELECT started_at FROM execution WHERE flow_id = $2)";
    const [before] = await queryPlanned<{ n: number }>(text, [many.id, listener.id]);
    expect(before?.n).toBeLessThanOrEqual(10);
  });

  test("are not blocked by one that cannot be started, which is dropped after five attempts", async () => {
    const table = await newTable();
    const { id } = await listening(table.id);
    await insertRow(actor, table.id, { n: 1 });
    await insertRow(actor, table.id, { n: 2 });
    await queryPlanned("UPDATE trigger_event SET body = '{' WHERE id = (SELECT min(id) FROM trigger_event)", []);
    expect(await startForEvents()).toBe(1);
    expect(await startedWith(id)).toEqual([2]);
    for (let tries = 1; tries < 5; tries += 1) {
      expect(await eventsOf(id)).toEqual([{ tries }]);
      await queryPlanned("UPDATE trigger_event SET due_at = now() - interval '1 second'", []);
      expect(await startForEvents()).toBe(0);
    }
    expect(await eventsOf(id)).toEqual([]);
  });

  test("are at most ten thousand: a write that would add more is refused as a whole", async () => {
    const table = await newTable();
    const { id } = await listening(table.id);
    await queryPlanned(
      `INSERT INTO trigger_event (workspace_id, flow_id, kind, body, depth)
       SELECT $1, $2, 'table', '{}', 0 FROM generate_series(1, 9999)`,
      [actor.workspaceId, id],
    );
    await insertRow(actor, table.id, { n: 1 });
    await expect(insertRow(actor, table.id, { n: 2 })).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    await queryPlanned("DELETE FROM trigger_event WHERE body = '{}'", []);
    await startForEvents();
    expect(await startedWith(id)).toEqual([1]);
  });
});
