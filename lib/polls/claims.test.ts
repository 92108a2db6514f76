import { expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { claimPolls, nextPollMs } from "./claims.ts";

inOwnDatabase();

test("a workspace with a thousand overdue polls keeps no other's from being claimed", async () => {
  const [crowded, other] = [await newActor(), await newActor()];
  const trigger = { type: "rss" as const, config: { url: "http://127.0.0.1/" } };
  const { id } = await createFlow(other, {
    ...{ name: "Feed", status: "active", tags: [], variables: {}, nodes: [], edges: [] },
    trigger,
  });
  await queryPlanned("ALTER TABLE flow_poll DROP CONSTRAINT flow_poll_flow_id_fkey", []);
  await queryPlanned(
    `INSERT INTO flow_poll (flow_id, workspace_id, config, source, is_begun, next_at, lease_until)
     SELECT 'flow_' || n, $1, '', '', true, now() - interval '1 hour', CASE WHEN n <= 2 THEN now() + interval '1 minute' END
     FROM generate_series(1, 1100) AS n`,
    [crowded.workspaceId],
  );
  expect((await claimPolls(3, false)).map((claim) => claim.id)).toEqual([id]);
  // Nor are they looked for all the time.
  expect(await nextPollMs()).toBe(1_000);
});
