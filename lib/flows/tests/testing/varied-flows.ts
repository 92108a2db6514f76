// Thirty flows with very different runs, to measure how good tests made from runs are.
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";

export interface VariedFlow {
  readonly name: string;
  readonly nodes: readonly FlowNode[];
  readonly edges?: readonly FlowEdge[];
  readonly variables?: JsonObject;
}

/** The input of all of them. */
export const runWith = {
  n: 21,
  tier: "gold",
  items: [
    { sku: "a", price: 3 },
    { sku: "b", price: 4 },
  ],
};

const transform = (id: string, text: string, config: JsonObject = {}) =>
  node(id, "transform", { transform: text, ...config });
const call = (id: string, path = "", config: JsonObject = {}) =>
  node(id, "http-request", { method: "POST", url: `https://api.test/${path}`, body: { amount: 42 }, ...config });
const body = (nodes: readonly FlowNode[], edges: readonly FlowEdge[] = []) =>
  ({ nodes, edges }) as unknown as JsonObject;
const flow = (
  name: string,
  nodes: readonly FlowNode[],
  arrows: readonly string[] = [],
  variables: JsonObject = {},
) => ({
  name,
  nodes,
  edges: arrows.map((arrow) => edge(arrow)),
  variables,
});

const ship = call("ship", "", { body: { sku: "{{ $item.sku }}", by: "land" } });
const priced = transform("priced", "$item.price * 2");
const items = "{{ $trigger.body.items }}";
const late = { retry: { maxRetries: 5, retryDelay: 0 } };

/** `child`, `failing`: the ids of flows that double `n`, and that fail. */
export function variedFlows({ child, failing }: { readonly child: string; readonly failing: string }): VariedFlow[] {
  const sub = (id: string, flowId: string, config: JsonObject = {}) => node(id, "sub-flow", { flowId, ...config });
  return [
    flow("a value", [transform("sum", "$trigger.body.n + 1")]),
    flow(
      "values after values",
      [transform("a", "$trigger.body.n * 2"), transform("b", "$node.output + 3")],
      ["a -> b"],
    ),
    flow("variables", [transform("rate", "$trigger.body.n * $vars.rate")], [], { rate: 7 }),
    flow("time and chance", [transform("at", "[Date.now() + 1, Math.random() * 5, new Date().toISOString() + 'Z']")]),
    flow("code", [
      node("code", "code", { code: "return { n: $trigger.body.n * 11, tier: 'is ' + $trigger.body.tier }" }),
    ]),
    flow("a call", [call("pay"), transform("id", "$node.output.body.id + 1")], ["pay -> id"]),
    flow(
      "two calls at once",
      [call("a"), call("b"), node("both", "merge", { mode: "object" })],
      ["a -> both", "b -> both"],
    ),
    flow("calls in a row", [call("a"), call("b", "", { body: { of: "{{ $node.output.body.id + 1 }}" } })], ["a -> b"]),
    flow("a call with all its parts", [call("all", "", { headers: { "x-kind": "new" }, query: { page: 3 } })]),
    flow(
      "a retried call",
      [call("late", "late", late), transform("said", "$node.output.body + '!'")],
      ["late -> said"],
    ),
    flow("a call that fails the run", [call("gone", "gone")]),
    flow(
      "a call that fails and is caught",
      [call("gone", "gone"), transform("why", "'no: ' + $node.output.error.code")],
      ["gone:error -> why"],
    ),
    flow(
      "a call that fails and goes on",
      [call("gone", "gone", { onError: "continue" }), transform("why", "$node.output.error.code + '?'")],
      ["gone -> why"],
    ),
    flow(
      "an expression that fails",
      [transform("one", "1"), transform("breaks", "$trigger.body.missing.x")],
      ["one -> breaks"],
    ),
    flow("a failure beside a call", [call("pay"), transform("breaks", "$trigger.body.missing.x")]),
    flow(
      "a condition",
      [
        node("if", "if-else", { condition: "$trigger.body.n > 20" }),
        transform("yes", "'big'"),
        transform("no", "'small'"),
      ],
      ["if:true -> yes", "if:false -> no"],
    ),
    flow(
      "a switch",
      [
        node("by", "switch", { value: "{{ $trigger.body.tier }}", cases: [{ id: "best", equals: "gold" }] }),
        transform("best", "90"),
        transform("rest", "10"),
      ],
      ["by:best -> best", "by:default -> rest"],
    ),
    flow("a loop", [node("each", "loop", { items, body: body([priced]) })]),
    flow("a loop of calls at once", [node("each", "loop", { items, concurrency: 2, body: body([ship]) })]),
    flow("a loop of calls and values", [
      node("each", "loop", {
        items,
        body: body([ship, transform("id", "$nodes.ship.output.body.id * 0 + 4")], [edge("ship -> id")]),
      }),
    ]),
    flow("a loop that collects failures", [
      node("each", "loop", {
        items: "{{ [null, { price: 2 }] }}",
        onItemError: "collect",
        body: body([transform("of", "$item.price.toFixed(1)")]),
      }),
    ]),
    flow("a loop in a loop", [
      node("outer", "loop", {
        items: "{{ [[1, 2], [3]] }}",
        body: body([node("inner", "loop", { items: "{{ $item }}", body: body([transform("ten", "$item * 10")]) })]),
      }),
    ]),
    flow("a loop over a flow", [node("each", "loop", { items: "{{ [{ n: 1 }, { n: 2 }] }}", flowId: child })]),
    flow(
      "a sub-flow",
      [sub("sub", child, { data: { n: 5 } }), transform("after", "$node.output.output + 1")],
      ["sub -> after"],
    ),
    flow(
      "a sub-flow that fails",
      [sub("sub", failing, { data: { n: 5 } }), transform("sorry", "'sorry'")],
      ["sub:error -> sorry"],
    ),
    flow("a delay", [node("delay", "delay", { ms: 20 }), transform("then", "$trigger.body.n - 1")], ["delay -> then"]),
    flow(
      "a wait that nobody ends",
      [node("wait", "wait", { timeoutMs: 20 }), transform("late", "'late'")],
      ["wait:timeout -> late"],
    ),
    flow("a wait that a stop gives up", [node("wait", "wait", {}), node("stop", "stop", { output: { done: 1 } })]),
    flow(
      "a disabled node",
      [transform("a", "$trigger.body.n + 5"), { ...call("off"), disabled: true }, transform("b", "$node.output + 6")],
      ["a -> off", "off -> b"],
    ),
    flow(
      "a log and an answer",
      [
        node("note", "log", { message: "n is {{ $trigger.body.n }}", level: "info" }),
        node("say", "respond", { status: 201, body: { ok: 1 } }),
      ],
      ["note -> say"],
    ),
  ];
}
