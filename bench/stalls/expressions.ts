// Expressions over large data, none of which may be evaluated in the server's thread.
import type { RunningServer } from "../../e2e/support/server.ts";
import { makeFlow } from "../millrace.ts";
import { apiCall, type StallCase, send } from "../stalls.ts";

const keys = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, index]));
const list = Array.from({ length: 60_000 }, (_, index) => index);
const transform = (id: string, program: string) => ({ id, type: "transform", config: { transform: program } });
const times = (count: number, expression: string) => `{{ ${expression} }}`.repeat(count);

/** All in one string of one node. */
const expressions: Readonly<Record<string, string>> = {
  "Object.entries × 50": times(50, "Object.entries($trigger.body.keys).length"),
  "Object.keys × 50": times(50, "Object.keys($trigger.body.keys).length"),
  "Object.values × 50": times(50, "Object.values($trigger.body.keys).length"),
  "members spread × 50": times(50, "({ ...$trigger.body.keys }).k1"),
  "items spread × 50": times(50, "[...$trigger.body.list].length"),
  "Object.assign × 50": times(50, "Object.assign({}, $trigger.body.keys).k1"),
  "JSON.stringify × 50": times(50, "JSON.stringify($trigger.body.keys).length"),
  "[x].at(0) × 40": times(40, "[$trigger.body.keys].at(0)"),
  "filter × 50": times(50, "$trigger.body.list.filter((item) => item > 5).length"),
  "includes in a function": times(1, "$trigger.body.list.filter((item) => $trigger.body.list.includes(-item)).length"),
  "in text × 5": times(5, "$trigger.body.keys"),
};

const forIn = {
  id: "code",
  type: "code",
  config: { code: "let count = 0; for (const key in $trigger.body.keys) count += 1; return count;" },
};

const ancestors = 900;
const chain = [
  { id: "s0", type: "switch", config: { value: "'a'", cases: [{ id: "a", equals: "a" }] } },
  ...Array.from({ length: ancestors - 1 }, (_, index) => transform(`s${index + 1}`, "1")),
];
const chainEdges = chain.slice(1).map(({ id }, index) => ({
  source: `s${index}`,
  target: id,
  ...(index === 0 ? { sourceHandle: "a" } : {}),
}));

const called = (name: string, body: unknown, nodes: readonly object[], edges: readonly object[] = []): StallCase => ({
  name: `expression: ${name}`,
  prepare: async (server: RunningServer) => {
    const { url } = await makeFlow(server, nodes, edges);
    const call = apiCall(server, body);
    return () => send(url, call, 2);
  },
});

const atEnd = (program: string) =>
  [
    [...chain, { id: "out", type: "respond", config: { body: times(200, program) } }],
    [...chainEdges, { source: `s${ancestors - 1}`, target: "out" }],
  ] as const;

const loopOver = (program: string, waits: number) => ({
  id: "loop",
  type: "loop",
  config: {
    items: "$trigger.body.items",
    body: {
      nodes: [
        { id: "choose", type: "if-else", config: { condition: "false" } },
        transform("it", program),
        ...Array.from({ length: waits }, (_, index) => ({ id: `w${index}`, type: "wait", config: {} })),
      ],
      edges: [
        { source: "choose", target: "it", sourceHandle: "false" },
        ...Array.from({ length: waits }, (_, index) => ({
          source: "choose",
          target: `w${index}`,
          sourceHandle: "true",
        })),
      ],
    },
  },
});

const items = Array.from({ length: 1_000 }, (_, index) => index);

export const expressionStalls: readonly StallCase[] = [
  ...Object.entries(expressions).map(([name, body]) =>
    called(name, body.includes(".list") ? { list } : { keys }, [
      { id: "out", type: "respond", config: { body, onError: "continue" } },
    ]),
  ),
  called("for…in", { keys }, [forIn]),
  called("$nodes of 900 ancestors × 200", {}, ...atEnd("$nodes[`s${1}`].output")),
  called("$switch of 900 ancestors × 200", {}, ...atEnd("$switch.case + 1")),
  called("$resume of 50 waits in 1,000 items", { items }, [loopOver("Object.keys($resume).length", 50)]),
  called("1,000 items that only compute", { items }, [loopOver("$item + 1", 0)]),
];
