// Runs that wait.
import { expect } from "vitest";
import { countingServer } from "../counting-server.ts";
import { edge, node, statuses, transform } from "../flows.ts";
import { type Case, callNode, paths } from "./case.ts";

export const waitCases: readonly Case[] = [
  {
    name: "a delay holds up what follows it and nothing else",
    check: async (driver) => {
      const sink = await countingServer();
      const nodes = [node("delay", "delay", { ms: 1_500 }), callNode("late", sink.url), callNode("early", sink.url)];
      const run = await driver.run({ nodes, edges: [edge("delay", "late")], settings: { timeoutMs: 1_200 } });
      expect(run).toMatchObject({ status: "completed", nodesExecuted: 3 });
      expect(paths(sink.received)).toEqual(["early", "late"]);
      const [early, late] = sink.received;
      expect((late?.atMs ?? 0) - (early?.atMs ?? 0)).toBeGreaterThan(1_000);
    },
  },
  {
    name: "a run that waits can be cancelled",
    check: async (driver) => {
      const nodes = [node("delay", "delay", { ms: 3_600_000 }), transform("after", "1")];
      const { id } = await driver.createFlow({ nodes, edges: [edge("delay", "after")] });
      const execution = await driver.client.start(id);
      await expect
        .poll(async () => statuses(await driver.client.read(execution)), { timeout: 10_000 })
        .toMatchObject({ delay: "running" });
      expect((await driver.client.call("POST", `/executions/${execution}/cancel`, {})).status).toBe(200);
      expect(await driver.client.read(execution)).toMatchObject({ status: "cancelled" });
    },
  },
];
