// What a flow refers to, looked up in a real workspace.
import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { checkFlow as checkFlowEndpoint } from "#lib/contract/flows/checks.ts";
import { node } from "#lib/engine/testing/flows.ts";
import { storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { checkFlow } from "#lib/flows/flow-problems.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import { database } from "#lib/platform/database.ts";

let actor: Actor;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});

const advise = async (nodes: readonly object[], overrides: object = {}, as = actor) => {
  const body = checkFlowEndpoint.body.parse({ trigger: { type: "manual" }, nodes, ...overrides });
  const { advice } = checkFlowEndpoint.answer.parse(await checkFlow(as, body));
  return advice.map(({ code, severity, message }) => [code, severity, message]);
};
const sub = (flowId: string) => node("sub", "sub-flow", { flowId });
const codes = (found: Awaited<ReturnType<typeof advise>>) => found.map(([code]) => code);

test("credentials are those of the workspace", async () => {
  const nodes = [
    node("call", "http-request", { url: "https://api.test/", credential: "shop", retry: { maxRetries: 1 } }),
    node("read", "transform", { transform: "$credentials.other.token" }),
  ];
  expect(codes(await advise(nodes))).toEqual(["MISSING_CREDENTIAL", "MISSING_CREDENTIAL"]);
  const at = new Date();
  const sealed = { type: "bearer", ciphertext: Buffer.alloc(1), keyVersion: 1, createdAt: at, updatedAt: at };
  for (const name of ["shop", "other"]) {
    const id = `cred_${name}`;
    await database().credential.create({ data: { id, workspaceId: actor.workspaceId, name, ...sealed } });
  }
  expect(await advise(nodes)).toEqual([]);
  expect(await advise(nodes, {}, await newActor())).toHaveLength(2);
});

test("tables are those of the workspace, by name or id, including those of an agent's tools", async () => {
  const find = (id: string, table: string) => node(id, "table", { action: "find", table, where: {} });
  const tools = [{ name: "look", table: "stock", action: "find" }];
  const nodes = [find("a", "stock"), node("b", "agent", { credential: "shop", model: "m", prompt: "p", tools })];
  expect(await advise(nodes)).toEqual(
    Array(2).fill(["MISSING_TABLE", "warning", 'uses the table "stock", which does not exist']),
  );
  const at = new Date();
  const made = { workspaceId: actor.workspaceId, name: "stock", columns: "[]", nextColumn: 1 };
  const { id } = await database().dataTable.create({
    data: { id: "tbl_stock", ...made, createdAt: at, updatedAt: at },
  });
  expect(await advise([...nodes, find("c", id)])).toEqual([]);
  expect(codes(await advise([find("a", "a{{ 1 }}"), find("b", "\u0000")]))).not.toContain("MISSING_TABLE");
  expect(codes(await advise([find("c", id)], {}, await newActor()))).toEqual(["MISSING_TABLE"]);
});

test("flows are those of the workspace, including those run by other flows, even from loops", async () => {
  const other = await storedFlow(actor, []);
  expect(await advise([sub(other.id)])).toEqual([["INACTIVE_SUBFLOW", "info", expect.stringContaining("draft")]]);
  expect(await advise([sub(other.id)], {}, await newActor())).toEqual([
    ["INACTIVE_SUBFLOW", "warning", "runs a flow that does not exist"],
  ]);
  const loop = node("each", "loop", { items: "{{ [1] }}", flowId: other.id });
  const between = await storedFlow(actor, [loop]);
  const activate = (id: string, nodes: Parameters<typeof updateFlow>[2]["nodes"]) =>
    updateFlow(actor, id, { status: "active", ...(nodes === undefined ? {} : { nodes }) }, null);
  await activate(between.id, undefined);
  expect(codes(await advise([sub(between.id)], { flowId: "flow_own" }))).toEqual([]);
  await activate(other.id, [sub(between.id)]);
  expect(codes(await advise([sub(between.id)], { flowId: "flow_own" }))).toEqual(["SUBFLOW_CYCLE"]);
  const stored = await storedFlow(actor, []);
  expect(codes(await advise([sub(stored.id)], { flowId: stored.id }))).toContain("SUBFLOW_CYCLE");
});
