// What a failure does to a run.
import { expect } from "vitest";
import { countingServer } from "../counting-server.ts";
import { edge, statuses, transform } from "../flows.ts";
import { type Case, callNode } from "./case.ts";

export const failureCases: readonly Case[] = [
  {
    name: "a failure fails the run: what is in flight finishes, nothing new starts",
    check: async (driver) => {
      const sink = await countingServer((_, { url }) => (url === "/slow" ? "hold" : {}));
      const nodes = [
        callNode("slow", sink.url),
        callNode("gate", sink.url),
        transform("breaks", "$trigger.body.missing.x"),
        callNode("never", sink.url),
      ];
      const edges = [edge("gate", "breaks"), edge("breaks", "never")];
      const { id } = await driver.createFlow({ nodes, edges });
      const execution = await driver.start(id);
      await sink.until(2);
      setTimeout(() => sink.release(), 500);
      const run = await driver.client.ended(execution);
      expect(run).toMatchObject({
        status: "failed",
        errorCount: 1,
        error: { nodeId: "breaks", code: "EXPRESSION_FAILED" },
      });
      expect(statuses(run)).toMatchObject({ slow: "completed", gate: "completed", breaks: "failed", never: "skipped" });
      expect(run.logs?.filter(({ level }) => level === "error")).toHaveLength(1);
    },
  },
  {
    name: "a failure follows the error handle, and what it leads to sees why",
    check: async (driver) => {
      const nodes = [
        transform("breaks", "$trigger.body.missing.x"),
        transform("normal", "1"),
        transform("handled", "$nodes['breaks'].output.error.code"),
      ];
      const edges = [edge("breaks", "normal"), edge("breaks", "handled", "error")];
      const run = await driver.run({ nodes, edges });
      expect(run).toMatchObject({ status: "completed", output: "EXPRESSION_FAILED", errorCount: 1 });
      expect(statuses(run)).toEqual({ breaks: "failed", normal: "skipped", handled: "completed" });
    },
  },
  {
    name: "a node with onError continue passes its error on as its output",
    check: async (driver) => {
      const nodes = [
        transform("breaks", "$trigger.body.missing.x", { onError: "continue" }),
        transform("after", "$node.output.error.code"),
      ];
      const run = await driver.run({ nodes, edges: [edge("breaks", "after")] });
      expect(run).toMatchObject({ status: "completed", output: "EXPRESSION_FAILED" });
    },
  },
  {
    name: "a call is tried again as the node says, under one key",
    check: async (driver) => {
      const sink = await countingServer((index) => ({ status: index < 2 ? 503 : 200 }));
      const retry = { maxRetries: 3, retryDelay: 10 };
      const run = await driver.run({ nodes: [callNode("call", sink.url, { method: "POST", retry })] });
      expect(run).toMatchObject({ status: "completed", nodes: [{ nodeId: "call", retries: 2 }] });
      const keys = new Set(sink.received.map(({ headers }) => headers["idempotency-key"]));
      expect([sink.received.length, [...keys]]).toEqual([3, [`${run.id}.call`]]);
    },
  },
];
