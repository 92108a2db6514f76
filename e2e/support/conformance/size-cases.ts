// Runs at the limits of size.
import { expect } from "vitest";
import { edge, node, transform } from "../flows.ts";
import type { Case } from "./case.ts";

/** A loop over this many items, with 0.9 MB each. */
function largeLoop(count: number, concurrency: number) {
  const body = { nodes: [transform("part", "'x'.repeat(900_000)")], edges: [] };
  const items = `Array.from({length: ${count}}, (_, i) => i)`;
  return { nodes: [node("loop", "loop", { items, body, concurrency })], edges: [] };
}

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
  {
    name: "a loop whose results come to more than 10 MiB fails, and begins no item after that",
    check: async (driver) => {
      const { nodes, edges } = largeLoop(100, 2);
      const run = await driver.run({ nodes, edges });
      expect(run).toMatchObject({ status: "failed", error: { nodeId: "loop", code: "OUTPUT_TOO_LARGE" } });
      expect(run.error?.message).toContain("10,485,760 bytes (COLLECTED_OUTPUT_MAX_BYTES)");
      const begun = await driver.client.call("GET", `/executions/${run.id}/nodes/loop/iterations?limit=100`);
      expect((begun.data as unknown[]).length).toBeLessThan(20);
    },
  },
  {
    name: "a run whose outputs come to more than 50 MiB fails at the node that is too much",
    check: async (driver) => {
      const ids = Array.from({ length: 62 }, (_, index) => `n${index}`);
      const nodes = ids.map((id) => transform(id, "'x'.repeat(900_000)"));
      const edges = ids.slice(1).map((id, index) => edge(`n${index}`, id));
      const run = await driver.run({ nodes, edges });
      // 58 of them and their quotes are 52,200,116 bytes.
      expect(run).toMatchObject({ status: "failed", error: { nodeId: "n58", code: "OUTPUT_TOO_LARGE" } });
      expect(run.error?.message).toContain("52,428,800 bytes (RUN_OUTPUT_MAX_BYTES)");
    },
  },
  {
    name: "an output of a sub-flow that is larger than 5 MiB fails the node that waits for it",
    check: async (driver) => {
      const child = await driver.createFlow(largeLoop(7, 1));
      const run = await driver.run({ nodes: [node("sub", "sub-flow", { flowId: child.id })] });
      expect(run).toMatchObject({ status: "failed", error: { nodeId: "sub", code: "OUTPUT_TOO_LARGE" } });
      expect(run.error?.message).toContain("5,242,880 bytes (OUTPUT_MAX_BYTES)");
    },
  },
];
