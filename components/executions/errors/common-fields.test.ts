import { expect, test } from "vitest";
import { nodeManifests } from "#lib/nodes/registry.ts";
import { titledError, typesOfFailed } from "./titled-error.tsx";

test.each([
  ["ms: must be a number; until: must be a time", "Duration must be a number; Until must be a time"],
  ["retry.maxRetries: must be at least 0", "Retry: Retries must be at least 0"],
  ["cases[0].when: is required", "Cases 1: When is required"],
  ["Failed after 2.5 s: ms: must be a number", "Failed after 2.5 s: Duration must be a number"],
  ["until: `a.b` failed: a is not defined", "Until: `a.b` failed: a is not defined"],
  // Two types call it "Group by" and "Amount".
  ["by: is required", "by: is required"],
  ["status: must be green", "Status must be green"],
  ["order: must be paid", "order: must be paid"],
  ["The server answered 500", "The server answered 500"],
])("%s is shown as %s, whatever type of node failed", (message, shown) => {
  expect(titledError(message, nodeManifests())).toBe(shown);
});

test.each([
  ["by: is required", "table", "Amount is required"],
  ["by: is required", "batch", "Group by is required"],
  ["mode: must be one of rows, one, exec", "sql", "Return must be one of rows, one, exec"],
  ["Failed after 2 s: timeout: must be at least 1", "send-mail", "Failed after 2 s: Timeout must be at least 1"],
  ["output: must be an object", "ai", "Output schema must be an object"],
])("%s of a %s node is shown as its form has it", (message, type, shown) => {
  const step = { id: "step", type, config: {} };
  const body = { nodes: [step], edges: [] };
  const other = { id: "other", type: "stop", config: {} };
  const table = { id: "table", type: "table", config: {} };
  const named = (nodes: Parameters<typeof typesOfFailed>[1]["nodes"], nodeId: string | null) =>
    titledError(message, typesOfFailed(nodeManifests(), { nodes }, nodeId));
  expect(named([table, other, step], "step")).toBe(shown);
  expect(named([{ id: "each", type: "loop", config: { body } }], "step")).toBe(shown);
  expect(named([{ id: "each", type: "loop", config: { body } }], null)).toBe(shown);
});
