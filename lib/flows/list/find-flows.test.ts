import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { pool, query } from "#lib/platform/database.ts";
import { rankedBy } from "#lib/search-words.ts";
import { findFlows, findStatement } from "./find-flows.ts";

let actor: Actor;
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});

const insert = `
  INSERT INTO flow (id, workspace_id, hook_id, name, description, status, version, created_at, updated_at)
  SELECT $2 || lpad(n::text, 21, '0'), $1, $2 || n, name, description, 'draft', 1, now(), now() - n * interval '1 s'
  FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS given(name, description, n)`;

/** A workspace with these flows, the first one changed last, and a search by name in it. */
async function workspaceOf(flows: readonly (readonly [name: string, description?: string])[]) {
  const { workspaceId } = await newActor();
  const values = [workspaceId, `flow_${workspaceId.slice(-5)}_`];
  const texts = [flows.map(([name]) => name), flows.map(([, description]) => description ?? null)];
  await query("some-flows", insert, [...values, ...texts]);
  return async (search: string, options: Partial<Parameters<typeof findFlows>[0]> = {}) => {
    const base = { workspaceId, search, status: undefined, tag: undefined, skip: 0, take: null } as const;
    const { ids } = await findFlows({ ...base, sortBy: "relevance", order: "desc", ...options });
    const names = await query<{ id: string; name: string }>("names", "SELECT id, name FROM flow WHERE id = ANY($1)", [
      ids,
    ]);
    return ids.map((id) => names.find((row) => row.id === id)?.name);
  };
}

const flows: [string, string?][] = [
  ["Invoice", "Sends the order's invoice"],
  ["Reorder stock"],
  ["The order desk"],
  ["Order intake", "Takes orders from the shop"],
  ["Order"],
  ["Shipping: Export to (DHL)", "Every night"],
  ["100% done_now"],
  ["Ärger im Café"],
  ["ＦＡＸ 注文受付"],
  ["back\\slash & | ! <-> :*"],
];

// Proves flows.list.search-words
test.each([
  ["order", ["Order", "Order intake", "The order desk", "Reorder stock", "Invoice"]],
  ["intake order", ["Order intake"]],
  ["ord int", ["Order intake"]],
  ["shipping export", ["Shipping: Export to (DHL)"]],
  ["EXPORT ship", ["Shipping: Export to (DHL)"]],
  ["dhl", ["Shipping: Export to (DHL)"]],
  ["export night", ["Shipping: Export to (DHL)"]],
  ["cafe arger", ["Ärger im Café"]],
  ["CAFÉ", ["Ärger im Café"]],
  ["注文", ["ＦＡＸ 注文受付"]],
  ["文", ["ＦＡＸ 注文受付"]],
  ["受付 fax", ["ＦＡＸ 注文受付"]],
  ["100%", ["100% done_now"]],
  ["e_n", ["100% done_now"]],
  ["1%0", []],
  ["& | !", ["back\\slash & | ! <-> :*"]],
  ["back\\slash", ["back\\slash & | ! <-> :*"]],
  ["<-> :*", ["back\\slash & | ! <-> :*"]],
  ["'order' & !intake:*", []],
  ["order missing", []],
])("%j finds %j, the best first", async (search, names) => {
  const find = await workspaceOf(flows);
  expect(await find(search)).toEqual(names);
  // The palette ranks its own items by the same rules.
  const rank = rankedBy(search);
  const ranked = flows.flatMap(([name, text]) => {
    const found = rank(name, text);
    return found === undefined ? [] : [{ name, found }];
  });
  expect(ranked.toSorted((a, b) => a.found - b.found).map(({ name }) => name)).toEqual(names);
});

test("any part of a name or description, of any length, finds its flow", async () => {
  const find = await workspaceOf(flows);
  for (const [name, description = ""] of flows) {
    const parts = [name, description].flatMap((text) =>
      [1, 2, 3, 7].flatMap((length) => Array.from(text, (_, index) => text.slice(index, index + length))),
    );
    const found = await Promise.all([...new Set(parts)].map(async (part) => [part, await find(part)] as const));
    expect(found.filter(([, names]) => !names.includes(name))).toEqual([]);
  }
});

test("only spaces or accents are searched literally, and very many words still find the flow", async () => {
  const find = await workspaceOf([["One"], ["Two words"], ["Accent \u0301 alone"]]);
  expect(await find(" ")).toEqual(["Two words", "Accent \u0301 alone"]);
  expect(await find("\u0301")).toEqual(["Accent \u0301 alone"]);
  const many = Array.from({ length: 300 }, (_, index) => `w${index}`).join(" ");
  expect(await find(many)).toEqual([]);
  const wordy = await workspaceOf([["All of it", many]]);
  expect(await wordy(many.slice(0, 1_000))).toEqual(["All of it"]);
});

test("pages by relevance repeat and skip nothing, and are reversed with the order", async () => {
  const find = await workspaceOf(Array.from({ length: 25 }, (_, index) => [`Order ${index % 3}`, "intake"]));
  const all = await find("intake order");
  expect(all).toHaveLength(25);
  const pages = await Promise.all([0, 10, 20].map((skip) => find("intake order", { skip, take: 10 })));
  expect(pages.flat()).toEqual(all);
  expect(await find("intake order", { order: "asc" })).toEqual(all.toReversed());
});

test("a changed name or description is found at once, and the old one is not", async () => {
  const find = await workspaceOf([["Before", "old words"]]);
  await query("rename", "UPDATE flow SET name = 'After', description = NULL WHERE name = 'Before'", []);
  expect([await find("before"), await find("old"), await find("after")]).toEqual([[], [], ["After"]]);
});

test("many flows are searched with the index", async () => {
  const { workspaceId } = actor;
  const many = `
    INSERT INTO flow (id, workspace_id, hook_id, name, status, version, created_at, updated_at)
    SELECT 'flow_' || n, $1, 'many_' || n, 'Flow ' || md5(n::text), 'draft', 1, now(), now()
    FROM generate_series(1, 3000) AS n`;
  await query("many-flows", many, [workspaceId]);
  await pool().query("VACUUM ANALYZE flow");
  const options = { workspaceId, status: undefined, tag: undefined, skip: 0, take: 8 } as const;
  const plan = async (words: readonly string[]) => {
    const folded = { whole: words.join(" "), words };
    const { text, values } = findStatement({ ...options, search: "", sortBy: "relevance", order: "desc" }, folded);
    const { rows } = await pool().query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, [...values]);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
  expect(await plan(["c4ca42"])).toContain("flow_search_idx");
  expect(await plan(["flow", "c4ca42"])).toContain("flow_search_idx");
  // One letter matches almost everything: reads all flows of the workspace.
  expect(await plan(["c"])).toMatch(/flow_workspace_id_(created_at_id_idx|tool_name_key)/);
});
