import { expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { readTextInWorker } from "./read-elsewhere.ts";

const flow = (count: number) =>
  `version: 1\nname: F\ntrigger: {type: manual}\nnodes:\n${Array.from({ length: count }, (_, index) => `  n${index}:\n    type: log\n`).join("")}`;

test("a long text is parsed in a thread with the same result as here, with places and odd keys", async () => {
  for (const count of [3, 500]) {
    const text = `${flow(count)}variables:\n  __proto__: {a: "\\uD800\\0"}\n`;
    const read = await readTextInWorker("one", text, ["nodes[2].type"]);
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    expect(read.places).toEqual([{ line: 10, column: 11, path: "nodes.n2.type" }]);
    const { variables, nodes } = JSON.parse(read.document).flow;
    expect(nodes).toHaveLength(count);
    expect(JSON.stringify(variables)).toBe('{"__proto__":{"a":"\\ud800\\u0000"}}');
  }
});

test("an owner with many long texts delays another's by at most one", async () => {
  const order: string[] = [];
  const of = (owner: string) => readTextInWorker(owner, flow(400)).then(() => order.push(owner));
  await Promise.all([of("many"), of("many"), of("many"), of("few")]);
  expect(order.indexOf("few")).toBeLessThanOrEqual(1);
});

test("problems of a long text have their places, and the event loop stays free", async () => {
  let read: unknown;
  const longest = await longestTurn(async () => {
    read = await readTextInWorker("one", `${"# c\n".repeat(200_000)}a: [`);
  });
  expect(read).toMatchObject({ problems: [{ line: 200_001 }] });
  expect(longest).toBeLessThan(100);
});
