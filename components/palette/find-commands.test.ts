import { expect, test } from "vitest";
import { findCommands, foundFor } from "./found-things.tsx";
import { type CommandGroup, searchedText } from "./palette-loader.ts";

const command = (label: string, description?: string) => ({ id: label, label, ...(description && { description }) });
const groups: CommandGroup[] = [
  { group: "Go to a node", actions: [command("Ask the shop", "ask_shop"), command("Runs to sum up", "sum")] },
  { group: "Flows", actions: [{ ...command("Nightly work"), keywords: [foundFor("order desk")] }] },
  { group: "Go to", actions: [command("Overview"), command("Runs"), command("Settings: API keys")] },
  { group: "Theme", actions: [command("Use the dark theme"), command("Use the light theme")] },
];
const labels = (query: string) =>
  findCommands(groups, query).flatMap(({ actions }) => actions.map(({ label }) => label));

test.each([
  ["runs", ["Runs", "Runs to sum up"]],
  ["shop ask", ["Ask the shop"]],
  ["ask_sh", ["Ask the shop"]],
  ["theme dark", ["Use the dark theme"]],
  ["key set", ["Settings: API keys"]],
  ["sé", ["Settings: API keys", "Use the dark theme", "Use the light theme"]],
  ["order desk", ["Nightly work"]],
  ["order des", []],
  ["dark shop", []],
])("%j finds %j", (query, found) => {
  expect(labels(query)).toEqual(found);
});

test("text that is not shown is searched too, and its part with the words is shown", () => {
  const text = searchedText(`POST https://shop.example/orders ${"x".repeat(100)}\n needle in hay`);
  const nodes = [{ ...command("Ask", "ask"), keywords: [text] }, command("Shop")];
  const found = findCommands([{ group: "Go to a node", actions: nodes }], "shop");
  expect(found[0]?.actions.map(({ label }) => label)).toEqual(["Shop", "Ask"]);
  expect(found[0]?.actions[1]?.description).toMatch(/^ask · POST https:\/\/shop\.example\/orders x+…$/);
  const [deep] = findCommands([{ group: "Go to a node", actions: nodes }], "ask needle");
  expect(deep?.actions.map(({ description }) => description)).toEqual([
    expect.stringMatching(/^ask · …x+ needle in hay$/),
  ]);
});

test("without a search, all keep their order; a group without matches is left out", () => {
  expect(findCommands(groups, "  ")).toEqual(groups);
  expect(findCommands(groups, "runs").map(({ group }) => group)).toEqual(["Go to", "Go to a node"]);
});
