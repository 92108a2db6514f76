// Runs that are cancelled, time out or are retried.
import { expect } from "vitest";
import { countingServer } from "../counting-server.ts";
import { edge, statuses, transform } from "../flows.ts";
import { type Case, callNode, paths } from "./case.ts";

export const stopCases: readonly Case[] = [
  {
    name: "a cancelled run stops what it does, and nothing more starts",
    check: async (driver) => {
      const sink = await countingServer(() => "hold");
      const nodes = [callNode("held", sink.url), callNode("after", sink.url)];
      const { id } = await driver.createFlow({ nodes, edges: [edge("held", "after")] });
      const execution = await driver.start(id);
      await sink.until(1);
      const answer = await driver.client.call("POST", `/executions/${execution}/cancel`, { reason: "enough" });
      expect(answer).toMatchObject({ status: 200, data: { status: "cancelled" } });
      await expect.poll(() => sink.aborted(), { timeout: 10_000 }).toBe(1);
      await expect
        .poll(async () => statuses(await driver.client.read(execution)), { timeout: 10_000 })
        .toMatchObject({ held: "cancelled" });
      expect(await driver.client.read(execution)).toMatchObject({ status: "cancelled", reason: "enough" });
      expect(sink.received).toHaveLength(1);
    },
  },
  {
    name: "a run that passes its time limit is stopped",
    check: async (driver) => {
      const sink = await countingServer(() => "hold");
      const nodes = [callNode("held", sink.url), callNode("after", sink.url)];
      const flow = { nodes, edges: [edge("held", "after")], settings: { timeoutMs: 1_000 } };
      const run = await driver.run(flow);
      expect(run).toMatchObject({ status: "timeout", error: { code: "TIMEOUT" } });
      expect(statuses(run)).toMatchObject({ after: "skipped" });
      expect(sink.received).toHaveLength(1);
    },
  },
  {
    name: "a retry from a node keeps what the earlier run left before it",
    check: async (driver) => {
      const sink = await countingServer((index) => (index === 1 ? { status: 400 } : {}));
      const nodes = [
        callNode("first", sink.url),
        callNode("second", sink.url),
        transform("last", "$nodes['first'].output.status"),
      ];
      const edges = [edge("first", "second"), edge("second", "last")];
      const failed = await driver.run({ nodes, edges });
      expect(failed.status).toBe("failed");
      const retry = { fromNode: "second" };
      const answer = await driver.client.call<{ executionId: string }>("POST", `/executions/${failed.id}/retry`, retry);
      const run = await driver.client.ended(answer.data.executionId);
      expect(run).toMatchObject({ status: "completed", output: 200, nodesExecuted: 3 });
      expect(paths(sink.received)).toEqual(["first", "second", "second"]);
    },
  },
];
