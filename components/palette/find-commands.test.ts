import { expect, test } from "vitest";
import { findCommands, foundFor } from "./found-things.tsx";
import type { CommandGroup } from "./palette-loader.ts";

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

test("without a search, all keep their order; a group without matches is left out", () => {
  expect(findCommands(groups, "  ")).toEqual(groups);
  expect(findCommands(groups, "runs").map(({ group }) => group)).toEqual(["Go to", "Go to a node"]);
});
