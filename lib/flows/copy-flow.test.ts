import { expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { duplicateFlow } from "./copy-flow.ts";
import { createFlow } from "./create-flow.ts";

inOwnDatabase();

test("a copy's name is not cut within a character", async () => {
  const actor = await newActor();
  const name = `${"a".repeat(247)}😀${"b".repeat(6)}`;
  const trigger = { type: "manual" as const, config: {} };
  const flow = { name, status: "draft" as const, tags: [], variables: {}, trigger, nodes: [], edges: [] };
  const { id } = await createFlow(actor, flow);
  const copy = await duplicateFlow(actor, id, { includeVariables: true, includeConnections: true });
  expect(copy.name).toBe(`${"a".repeat(247)} (copy)`);
});
