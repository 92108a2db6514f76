// Runs at the limits of size.
import { expect } from "vitest";
import { edge, transform } from "../flows.ts";
import type { Case } from "./case.ts";

export const sizeCases: readonly Case[] = [
  {
    name: "a flow of 1,000 nodes runs them all, in their order",
    check: async (driver) => {
      const ids = Array.from({ length: 1_000 }, (_, index) => `n${index}`);
      const nodes = ids.map((id, index) => transform(id, index === 0 ? "1" : "$node.output + 1"));
      const edges = ids.slice(1).map((id, index) => edge(`n${index}`, id));
      const run = await driver.run({ nodes, edges });
      expect(run).toMatchObject({ status: "completed", output: 1_000, nodesExecuted: 1_000 });
    },
  },
  {
    name: "outputs of 10 MB are kept and passed on",
    check: async (driver) => {
      const parts = Array.from({ length: 11 }, (_, index) => transform(`part${index}`, "'x'.repeat(1_000_000)"));
      const lengths = parts.map(({ id }) => `$nodes['${id}'].output.length`).join(" + ");
      const edges = parts.map(({ id }) => edge(id, "sum"));
      const run = await driver.run({ nodes: [...parts, transform("sum", lengths)], edges });
      expect(run).toMatchObject({ status: "completed", output: 11_000_000, nodesExecuted: 12 });
    },
  },
];
