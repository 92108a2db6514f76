import { expect, test } from "vitest";
import { nodeManifests } from "#lib/nodes/registry.ts";
import { titledError } from "./common-fields.ts";

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
