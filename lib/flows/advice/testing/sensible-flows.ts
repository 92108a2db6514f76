// Twenty flows as sensible people build them: advice on these must be rare and right.
import { call, every, type Given, node, other, pay, respond, transform } from "./given-flows.ts";

const manual = { type: "manual" };
const caughtBy = (id: string, instead: string) => [`${id} > answer`, `${id}:error > ${instead}`];
const sorry = node("sorry", "respond", { status: 502, body: { error: "try later" } });
const inner = (nodes: readonly object[], edges: readonly object[] = []) => ({ nodes, edges });

export const sensibleFlows: Readonly<Record<string, Given>> = {
  "an order is checked, charged and answered": {
    nodes: [
      node("check", "if-else", { condition: "$trigger.body.items.length > 0" }),
      pay("charge", { body: { total: "{{ $trigger.body.total }}" } }),
      node("answer", "respond", { body: { id: "{{ $node.output.body.id }}" } }),
      node("refuse", "respond", { status: 422, body: { error: "no items" } }),
      sorry,
    ],
    edges: ["check:true > charge", "check:false > refuse", ...caughtBy("charge", "sorry")],
  },
  "a nightly report is fetched, shaped and posted": {
    trigger: every("0 6 * * *"),
    nodes: [
      call("sales"),
      transform("text", "({ text: `Sold ${$node.output.body.total}` })"),
      pay("post", { body: "{{ $node.output }}" }),
    ],
    edges: ["sales > text", "text > post"],
  },
  "an invoice is approved by a person": {
    trigger: manual,
    nodes: [
      node("ask", "wait", { timeoutMs: 86_400_000, form: { title: "Pay?", actions: [{ id: "yes" }, { id: "no" }] } }),
      node("which", "switch", { value: "{{ $node.output.body.action }}", cases: [{ id: "yes", equals: "yes" }] }),
      pay("pay", { body: { invoice: "{{ $trigger.body.id }}" } }),
      node("declined", "log", { message: "declined" }),
      node("late", "log", { message: "nobody answered", level: "warning" }),
    ],
    edges: ["ask > which", "ask:timeout > late", "which:yes > pay", "which:default > declined"],
  },
  "every order of a list is shipped": {
    trigger: manual,
    nodes: [
      node("each", "loop", {
        items: "{{ $trigger.body.orders }}",
        concurrency: 5,
        maxItems: 500,
        onItemError: "collect",
        body: inner([pay("ship", { body: "{{ $item }}" })]),
      }),
      node("done", "log", { message: "{{ $node.output.length }} shipped" }),
    ],
    edges: ["each > done"],
  },
  "tickets go to the team of their kind": {
    nodes: [
      node("kind", "switch", {
        value: "{{ $trigger.body.kind }}",
        cases: [
          { id: "bug", equals: "bug" },
          { id: "bill", equals: "billing" },
        ],
      }),
      pay("engineers", { body: { text: "{{ $trigger.body.text }}" }, onError: "continue" }),
      pay("finance", { body: { text: "{{ $trigger.body.text }}" }, onError: "continue" }),
      node("other", "log", { message: "{{ $trigger.body.kind }}" }),
    ],
    edges: ["kind:bug > engineers", "kind:bill > finance", "kind:default > other"],
  },
  "two services are asked at once, and the cheaper one is told": {
    nodes: [
      call("one", { onError: "continue" }),
      call("two", { onError: "continue" }),
      transform("best", "Math.min($nodes.one.output.body?.price ?? 1e9, $nodes.two.output.body?.price ?? 1e9)"),
      node("answer", "respond", { body: { price: "{{ $node.output }}" } }),
    ],
    edges: ["one > best", "two > best", "best > answer"],
  },
  "a lead is scored by code": {
    nodes: [
      node("score", "code", { code: "return { score: $trigger.body.visits * 2 + ($trigger.body.company ? 10 : 0) };" }),
      node("answer", "respond", { body: "{{ $node.output }}" }),
    ],
    edges: ["score > answer"],
  },
  "an address is cleaned and answered": {
    nodes: [
      transform("clean", { city: "{{ $trigger.body.city.trim() }}", zip: "{{ $trigger.body.zip }}" }),
      node("answer", "respond", { body: "{{ $node.output }}" }),
    ],
    edges: ["clean > answer"],
  },
  "a reminder is sent a day later": {
    trigger: manual,
    nodes: [node("day", "delay", { ms: 86_400_000 }), pay("remind", { body: { to: "{{ $trigger.body.email }}" } })],
    edges: ["day > remind"],
  },
  "another flow does the billing": {
    trigger: manual,
    nodes: [node("bill", "sub-flow", { flowId: other }), node("note", "log", { message: "{{ $node.output.status }}" })],
    edges: ["bill > note"],
    references: { flows: new Map([[other, { name: "Billing", status: "active", runs: [] }]]) },
  },
  "a webhook is noted": { nodes: [node("note", "log", { message: "{{ $trigger.body.event }}" })] },
  "a signed event starts another flow and answers at once": {
    trigger: { type: "webhook", config: { authentication: "hmac", credential: "in", preset: "github" } },
    nodes: [node("later", "sub-flow", { flowId: other, wait: false }), respond()],
    edges: ["later > answer"],
    references: { flows: new Map([[other, { name: "Later", status: "active", runs: [] }]]) },
  },
  "a health check tells when a site is down": {
    trigger: every("*/5 * * * *"),
    nodes: [call("site"), pay("page", { body: { text: "down" } })],
    edges: ["site:error > page"],
  },
  "an import stops where there is nothing": {
    trigger: every("0 * * * *"),
    nodes: [
      call("list"),
      node("any", "if-else", { condition: "$node.output.body.length > 0" }),
      node("none", "stop", { output: { imported: 0 } }),
      node("each", "loop", {
        items: "{{ $nodes.list.output.body }}",
        maxItems: 1_000,
        body: inner([pay("store", { body: "{{ $item }}" })]),
      }),
    ],
    edges: ["list > any", "any:true > each", "any:false > none"],
  },
  "a payment has a key of the order": {
    trigger: manual,
    nodes: [pay("pay", { headers: { "Idempotency-Key": "{{ $trigger.body.orderId }}" }, body: { amount: 5 } })],
  },
  "a call uses a credential": {
    trigger: manual,
    nodes: [call("me", { credential: "shop" }), node("say", "log", { message: "{{ $node.output.body.name }}" })],
    edges: ["me > say"],
    references: { credentials: new Set(["shop"]) },
  },
  "a large order is looked at by somebody": {
    nodes: [
      node("large", "if-else", { condition: "$trigger.body.total >= 1000" }),
      pay("tell", { body: { total: "{{ $trigger.body.total }}" }, onError: "continue" }),
      respond(),
    ],
    edges: ["large:true > tell", "large:false > answer", "tell > answer"],
  },
  "a token is fetched and used": {
    trigger: manual,
    nodes: [
      pay("login", { credential: "shop" }),
      call("orders", { headers: { authorization: "Bearer {{ $nodes.login.output.body.access_token }}" } }),
      transform("count", "$node.output.body.length"),
    ],
    edges: ["login > orders", "orders > count"],
    references: { credentials: new Set(["shop"]) },
  },
  "a sheet is turned into rows": {
    trigger: manual,
    nodes: [
      call("csv"),
      node("rows", "code", { code: "return $nodes.csv.output.body.split('\\n').map((line) => line.split(','));" }),
      node("each", "loop", {
        items: "{{ $node.output }}",
        maxItems: 10_000,
        body: inner([transform("row", "({ name: $item[0] })")]),
      }),
    ],
    edges: ["csv > rows", "rows > each"],
  },
  "an event goes to three places, each for itself": {
    nodes: ["a", "b", "c"].map((id) => pay(id, { body: "{{ $trigger.body }}", onError: "continue" })),
  },
};
