// A run's path through its graph.
import { expect } from "vitest";
import { countingServer } from "../counting-server.ts";
import { edge, node, outputOf, statuses, transform } from "../flows.ts";
import { type Case, callNode, paths } from "./case.ts";

export const graphCases: readonly Case[] = [
  {
    name: "one branch runs and the other is skipped, with all that only it leads to",
    check: async (driver) => {
      const nodes = [
        node("check", "if-else", { condition: "$trigger.body.n > 1" }),
        transform("yes", "'yes'"),
        transform("no", "'no'"),
        transform("after", "'after'"),
        transform("join", "[$nodes['yes']?.output, $nodes['no']?.output]"),
      ];
      const edges = [
        edge("check", "yes", "true"),
        edge("check", "no", "false"),
        edge("no", "after"),
        edge("yes", "join"),
        edge("after", "join"),
      ];
      const run = await driver.run({ nodes, edges }, { n: 2 });
      expect(run).toMatchObject({ status: "completed", output: ["yes", null], nodesExecuted: 3 });
      expect(statuses(run)).toEqual({
        check: "completed",
        yes: "completed",
        no: "skipped",
        after: "skipped",
        join: "completed",
      });
    },
  },
  {
    name: "a disabled node is skipped over: its input goes on by its plain handle, in a loop's body too",
    check: async (driver) => {
      const off = <Node extends object>(node: Node) => ({ ...node, disabled: true });
      const body = {
        nodes: [off(node("inner", "http-request", {})), transform("double", "$node.output * 2")],
        edges: [edge("inner", "double")],
      };
      const nodes = [
        transform("list", "[1, 2]"),
        off(node("check", "if-else", {})),
        node("each", "loop", { items: "{{ $node.output }}", body }),
        transform("no", "'no'"),
        off(node("halt", "stop", { error: "never" })),
      ];
      const edges = [edge("list", "check"), edge("check", "each"), edge("check", "no", "false"), edge("each", "halt")];
      const run = await driver.run({ nodes, edges }, {});
      expect(run).toMatchObject({ status: "completed", output: [2, 4] });
      expect(statuses(run)).toEqual({
        list: "completed",
        check: "completed",
        each: "completed",
        no: "skipped",
        halt: "completed",
      });
    },
  },
  {
    name: "branches run beside each other and a join runs once, after both",
    check: async (driver) => {
      const sink = await countingServer((index) => (index < 2 ? "hold" : {}));
      const nodes = [
        transform("start", "1"),
        callNode("left", sink.url),
        callNode("right", sink.url),
        callNode("join", sink.url),
      ];
      const edges = [edge("start", "left"), edge("start", "right"), edge("left", "join"), edge("right", "join")];
      const { id } = await driver.createFlow({ nodes, edges });
      const execution = await driver.start(id);
      await sink.until(2);
      expect(paths(sink.received).sort()).toEqual(["left", "right"]);
      sink.release();
      const run = await driver.client.ended(execution);
      expect(run).toMatchObject({ status: "completed", nodesExecuted: 4 });
      expect(paths(sink.received)[2]).toBe("join");
      expect(sink.received).toHaveLength(3);
    },
  },
  {
    name: "a branch goes on while another is still busy",
    check: async (driver) => {
      const sink = await countingServer((_, { url }) => (url === "/slow" ? "hold" : {}));
      const nodes = [
        callNode("slow", sink.url),
        callNode("first", sink.url),
        transform("second", "2"),
        callNode("third", sink.url),
      ];
      const { id } = await driver.createFlow({ nodes, edges: [edge("first", "second"), edge("second", "third")] });
      const execution = await driver.start(id);
      await sink.until(3);
      expect(paths(sink.received).sort()).toEqual(["first", "slow", "third"]);
      sink.release();
      expect(await driver.client.ended(execution)).toMatchObject({ status: "completed", nodesExecuted: 4 });
    },
  },
  {
    name: "expressions see the outputs of nodes that ran in an earlier call",
    check: async (driver) => {
      const sink = await countingServer(() => ({ body: { big: "x".repeat(1_000), n: 7 } }));
      const nodes = [
        callNode("read", sink.url),
        transform("sum", "$nodes['read'].output.body.n + $trigger.body.n + $vars.n"),
        node("answer", "respond", { status: 201, body: "{{ $node.output }}" }),
      ];
      const edges = [edge("read", "sum"), edge("sum", "answer")];
      const run = await driver.run({ nodes, edges, variables: { n: 100 } }, { n: 10 });
      expect(run).toMatchObject({ status: "completed", output: 117 });
      expect(outputOf(run, "read")).toMatchObject({ status: 200, body: { n: 7 } });
    },
  },
];
