// Workflows of n8n, stored as flows.
import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { importFlow as endpoint } from "#lib/contract/flows/flow-copies.ts";
import { AppError } from "#lib/errors.ts";
import { n8nDocument, n8nNode, set } from "#lib/n8n/testing/workflows.ts";
import { importFlow } from "./copy-flow.ts";
import { readFlow } from "./show-flow.ts";

let actor: Actor;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});

const take = (body: object) => importFlow(actor, endpoint.body.parse(body));
const document = n8nDocument(
  "Orders",
  [n8nNode("Start", "manualTrigger"), set("A", { text: "x\u0000\ud800" }), n8nNode("Sheet", "googleSheets", { a: 1 })],
  ["Start -> A", "A -> Sheet"],
  { settings: { executionTimeout: 90 } },
);

test("a workflow becomes a draft, and remaining work is stored with its canvas", async () => {
  const made = endpoint.answer.parse(await take({ format: "n8n", document }));
  expect(made).toMatchObject({ name: "Orders", status: "draft", trigger: { type: "manual" }, version: 1 });
  const gap = {
    node: "Sheet",
    type: "n8n-nodes-base.googleSheets",
    nodeId: "sheet",
    reason: expect.stringMatching(/Google Sheets.*stop/s),
  };
  expect(made.report).toEqual({ converted: 2, gaps: [gap] });
  const stored = await readFlow(actor, made.id);
  expect(stored.nodes.map(({ id, type }) => [id, type])).toEqual([
    ["a", "transform"],
    ["sheet", "stop"],
  ]);
  expect(stored.settings).toMatchObject({ timeoutMs: 90_000, canvas: { imported: { from: "n8n", gaps: [gap] } } });
  expect((await take({ format: "n8n", document, name: "Mine" })).name).toBe("Mine");
});

test("another workspace does not see it", async () => {
  const { id } = await take({ format: "n8n", document });
  await expect(readFlow(await newActor(), id)).rejects.toThrow(AppError);
});

test("a document that is not a workflow is refused, with the position of the problem", async () => {
  const refused = async (given: object) =>
    (await take({ format: "n8n", document: given }).catch((error: AppError) => error)) as AppError;
  expect((await refused({})).details).toEqual({ "document.nodes": "must be a list of nodes" });
  const nodes = Array.from({ length: 10_000 }, () => ({}));
  expect((await refused({ nodes })).details).toEqual({
    "document.nodes": expect.stringContaining("at most 1000 nodes"),
  });
});

test.each([
  [{ format: "n8n" }, "document"],
  [{ format: "zapier", document: {} }, "format"],
  [{ document: {} }, "data"],
  [
    {
      format: "n8n",
      document: {},
      data: { version: "1", flow: { name: "x", trigger: { type: "manual" }, nodes: [] } },
    },
    "data",
  ],
])("%j is refused", (body, field) => {
  expect(endpoint.body.safeParse(body).error?.issues.map(({ path }) => path[0])).toContain(field);
});
