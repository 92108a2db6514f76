import { expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { listFlows } from "./list-flows.ts";

inOwnDatabase();

test("a page of the largest flows does not block the event loop", async () => {
  const actor = await newActor();
  const config = { transform: "1", values: Array.from({ length: 200 }, (_, n) => n) };
  const nodes = Array.from({ length: 900 }, (_, n) => {
    return { id: `n${n}`, name: `n${n}`, type: "transform", position: { x: n, y: 0 }, config };
  });
  const trigger = { type: "manual" as const, config: {} };
  const flow = { status: "draft" as const, tags: [], variables: {}, trigger, nodes, edges: [] };
  for (let n = 0; n < 15; n += 1) await createFlow(actor, { ...flow, name: `flow ${n}` });
  const query = { page: 1, limit: 100, sortBy: "name", order: "asc", favorite: false } as const;
  const names: string[] = [];
  const list = async () => {
    const page = await listFlows(actor, query);
    for await (const text of page.texts) names.push(JSON.parse(text).name);
  };
  expect(await longestTurn(list)).toBeLessThan(100);
  expect(names.slice(0, 3)).toEqual(["flow 0", "flow 1", "flow 10"]);
  expect(names).toHaveLength(15);
});
