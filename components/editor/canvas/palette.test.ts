import { expect, test } from "vitest";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { nodeManifests } from "#lib/nodes/registry.ts";
import { findNodeTypes } from "./palette.tsx";

const types = nodeManifests() as readonly NodeType[];
const first = (search: string) => findNodeTypes(types, search)[0]?.type;

test("node types are found by the words that people have for them", () => {
  expect(first("approval")).toBe("wait");
  expect(first("javascript")).toBe("code");
  expect(first("sleep")).toBe("delay");
  expect(first("for each")).toBe("loop");
  expect(first("filter")).toBe("if-else");
  expect(first("rest api")).toBe("http-request");
  expect(first("return")).toBe("respond");
  expect(first("wait")).toBe("wait");
});
