// Each template must be valid and tested, and need exactly what its page says.
import { globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { newTable } from "#lib/contract/tables/tables.ts";
import type { TemplateCategory } from "#lib/contract/templates.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { adviceOnFlow } from "#lib/flows/advice/advice.ts";
import { planNodes } from "#lib/flows/plan-nodes.ts";
import { findUnknownSettings, nodeDefinition } from "#lib/nodes/registry.ts";
import { problemsOf } from "#lib/replay/comparison/compare.ts";
import { prepareReplay } from "#lib/replay/prepare.ts";
import { replay } from "#lib/replay/replay.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { findService } from "#lib/services/model/all.ts";
import { allTemplates } from "./all.ts";
import { listTemplates, readTemplate, type TemplateDocument, templateDocument } from "./read-templates.ts";

const sandbox = createSandbox({ children: 1 });
afterAll(() => sandbox.close());

const all = Object.entries(allTemplates).flatMap(([category, files]) =>
  Object.entries(files).map(([id, document]) => [`${category}/${id}`, document] as const),
);
const real = all.filter(([path]) => !path.startsWith("basics/"));

test("every file is a template, under its folder and name", () => {
  const files = globSync("examples/templates/*/*.json").map(
    (file) => `${basename(dirname(file))}/${basename(file, ".json")}`,
  );
  expect(all.map(([path]) => path).toSorted()).toEqual(files.toSorted());
  expect(new Set(all.map(([path]) => basename(path))).size).toBe(all.length);
  expect(real.length).toBeGreaterThanOrEqual(30);
});

test("they are found by text, service and category", () => {
  const ids = (filter: { search?: string; category?: TemplateCategory }) =>
    listTemplates({ page: 1, limit: 100, ...filter }).items.map(({ id }) => id);
  expect(ids({})).toHaveLength(all.length);
  expect(ids({ search: "hubspot form" })).toContain("form-to-crm");
  expect(ids({ search: "form to crm" })[0]).toBe("form-to-crm");
  expect(ids({ category: "basics" })).toHaveLength(8);
  expect(listTemplates({ page: 2, limit: 2 }).items.map(({ id }) => id)).toEqual(ids({}).slice(2, 4));
  expect(readTemplate("form-to-crm").services).toMatchObject([{ name: "HubSpot" }]);
  expect(() => readTemplate("none")).toThrow("Template not found");
});

/** All nodes, including those in loops. */
const nodesOf = (nodes: TemplateDocument["nodes"]): TemplateDocument["nodes"] =>
  nodes.flatMap((node) => {
    const body =
      node.type === "loop" ? (node.config.body as { nodes?: TemplateDocument["nodes"] } | undefined) : undefined;
    return [node, ...nodesOf(body?.nodes ?? [])];
  });
const parsed = (document: TemplateDocument) => templateDocument.parse(structuredClone(document));
const names = (list: Iterable<unknown>) => [...new Set(list)].filter((name) => typeof name === "string").toSorted();

describe.each(real)("%s", (_, document) => {
  const flow = parsed(document);
  const nodes = nodesOf(flow.nodes);
  const header = flow.template ?? { text: "", credentials: {}, tables: [], variables: {} };

  test("lists exactly the credentials, tables and variables to connect", () => {
    const request = (flow.trigger.config.request ?? {}) as JsonObject;
    const inTrigger = [flow.trigger.config.credential, request.credential];
    const inNodes = nodes.flatMap(({ type, config }) => nodeDefinition(type)?.credentialNames?.(config) ?? []);
    expect(names([...inTrigger, ...inNodes])).toEqual(names(Object.keys(header.credentials)));
    const tools = nodes.flatMap(({ config }) => (Array.isArray(config.tools) ? (config.tools as JsonObject[]) : []));
    const tables = [flow.trigger.config, ...nodes.map(({ config }) => config), ...tools].map(({ table }) => table);
    expect(names(tables)).toEqual(names(header.tables.map(({ name }) => name)));
    const read = JSON.stringify([flow.trigger, flow.nodes]).matchAll(/\$vars\.(\w+)/g);
    expect(names([...read].map(([, name]) => name))).toEqual(names(Object.keys(header.variables)));
    expect(names(Object.keys(flow.variables))).toEqual(names(Object.keys(header.variables)));
  });

  test("needs only credentials that its services accept, and tables that can be created", () => {
    for (const { type, config } of nodes) {
      if (type !== "call") continue;
      const taken = findService(String(config.service))?.credentials.map((kind) => kind.type) ?? [];
      expect(taken).toEqual(expect.arrayContaining([...(header.credentials[String(config.credential)]?.types ?? [])]));
    }
    for (const table of header.tables) expect(newTable.safeParse(table).error).toBeUndefined();
  });

  test("has no warnings once connected", async () => {
    const references = {
      credentials: new Set(Object.keys(header.credentials)),
      tables: new Set(header.tables.map(({ name }) => name)),
      flows: new Map(),
      missing: new Set<string>(),
    };
    const context = { references, ownId: null, callerWaitsMs: 25_000 };
    const advice = await adviceOnFlow(flow, await planNodes("ws", flow), context);
    expect(advice.filter(({ severity }) => severity !== "info")).toEqual([]);
  });

  test("has no setting that nothing reads", () => {
    expect(nodes.map(({ id, type, config }) => [id, findUnknownSettings(type, config)])).toEqual(
      nodes.map(({ id }) => [id, []]),
    );
  });

  test.each((flow.tests ?? []).map((flowTest) => [flowTest.name, flowTest] as const))(
    "passes its test: %s",
    async (_, flowTest) => {
      const { expect: expected, recordings, trigger, now = "2026-01-31T10:00:00.000Z" } = flowTest;
      const context = { flowName: flow.name, sandbox, owner: "ws", signal: AbortSignal.timeout(20_000) };
      const replayed = await replay(prepareReplay(flow), { trigger, now, recordings }, context);
      expect(replayed.notRecorded).toEqual([]);
      expect(await problemsOf(expected, replayed)).toEqual([]);
    },
  );

  test("has tests, and a sample used by a test", () => {
    const canvas = flow.settings?.canvas as { samples: { data: unknown }[] };
    expect(flow.tests?.map(({ trigger }) => trigger.body)).toContainEqual(canvas.samples[0]?.data);
  });
});
