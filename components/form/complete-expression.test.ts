import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { completeExpression } from "./complete-expression.ts";
import type { ExpressionScope } from "./expression-scope.ts";

const large = { output: undefined };
const scope = (read: () => Promise<unknown>): ExpressionScope => ({
  roots: [{ name: "$nodes", description: "", value: { near: { output: { id: 7 } }, far: large } }],
  dataId: "run",
  nodeNames: new Map(),
  unreadOutput: (nodeId) => (nodeId === "far" ? read : null),
  unread: () => null,
  unknown: () => null,
  evaluate: null,
});
async function labels(text: string, read: () => Promise<unknown>) {
  const state = EditorState.create({ doc: text });
  const complete = completeExpression(
    () => scope(read),
    () => true,
  );
  const found = await complete(new CompletionContext(state, text.length, true));
  return found?.options.map(({ label }) => label) ?? null;
}

test("keys of an unloaded output are completed once it is loaded, others immediately", async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    return { body: { total: 1, items: [] } };
  };
  expect(await labels("$nodes.near.output.", read)).toEqual(["id"]);
  expect(reads).toBe(0);
  expect(await labels("$nodes.far.output.body.", read)).toEqual(["total", "items"]);
  expect(await labels("$nodes.far.output.", read)).toEqual(["body"]);
  expect(await labels("$nodes.far.output.", () => Promise.reject(new Error("gone")))).toBeNull();
});
