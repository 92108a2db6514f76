// Flows and changed versions of them, for a service with deterministic answers.
import type { Reply } from "../counting-server.ts";
import { node } from "../flows.ts";
import { arrow, body, type Nodes, transform } from "./varied-run.ts";

export interface Definition {
  readonly nodes: Nodes;
  readonly edges: readonly object[];
}

export interface Change {
  readonly to: Definition;
  /** The node with the first difference, if there is one. */
  readonly first: string;
  /** The node that may send a new request; then the first difference is there. */
  readonly sends?: string;
  /** It continues with an answer of which only the failure is recorded. */
  readonly readsFailure?: true;
}

/** The service's answer, which depends only on the request. */
export function decidedAnswer(_: number, { url, body: text }: { readonly url: string; readonly body: string }): Reply {
  const given = JSON.parse(text === "" ? "{}" : text) as { n?: number; sku?: number };
  if (url === "/price") return { body: { price: (given.n ?? 0) * 3 } };
  if (url === "/check")
    return (given.n ?? 0) % 5 === 0 ? { status: 422, body: { no: given.n } } : { body: { ok: true } };
  if (url === "/ship")
    return (given.sku ?? 0) % 7 === 0 ? { status: 404, body: {} } : { body: { parcel: `p${given.sku}` } };
  return { body: { echo: given } };
}

/** The runs' inputs: some without a customer, some without items, and some that the service refuses. */
export const calls = Array.from({ length: 32 }, (_, n) => ({
  n,
  ...(n % 4 === 3 ? {} : { customer: { name: `c${n}`, tier: n % 3 === 0 ? "gold" : "tin" } }),
  items: Array.from({ length: n % 3 }, (__, index) => n + index),
}));

const post = (id: string, url: string, sent: object, config: object = {}) =>
  node(id, "http-request", { method: "POST", url, body: sent, ...config });
const define = (nodes: Nodes, arrows: readonly string[]): Definition => ({ nodes, edges: arrows.map(arrow) });
const n = "{{ $trigger.body.n }}";

/** A flow with prices, a check that may fail, a branch, an optional customer, and an answer. */
export function orderFlow(
  url: string,
  changed: Partial<Record<string, Nodes[number]>> = {},
  more: readonly string[] = [],
) {
  const nodes = [
    post("price", `${url}/price`, { n }),
    post("check", `${url}/check`, { n }),
    node("big", "if-else", { condition: "$nodes.price.output.body.price > 45" }),
    transform("discount", "$nodes.price.output.body.price * 0.9"),
    transform("full", "$nodes.price.output.body.price"),
    node("total", "merge", { mode: "first" }),
    transform("name", "$trigger.body.customer.name + ': ' + $node.output"),
    node("note", "log", { message: "done" }),
    node("say", "respond", { status: 200, body: { told: "{{ $nodes.name.output }}" } }),
  ];
  const arrows = ["price -> check", "check -> big", "big:true -> discount", "big:false -> full", "discount -> total"];
  return define(
    nodes.map((node) => changed[node.id] ?? node),
    [...arrows, "full -> total", "total -> name", "name -> note", "note -> say", ...more],
  );
}

/** Changed versions of it, each with its first difference at one node. */
export function orderChanges(url: string): Readonly<Record<string, Change>> {
  const to = (node: Nodes[number], first = node.id, more: readonly string[] = []): Change => ({
    to: orderFlow(url, { [node.id]: node }, more),
    first,
  });
  const check = (config: object) => post("check", `${url}/check`, { n }, config);
  return {
    "a value is computed in another way": to(transform("discount", "$nodes.price.output.body.price * 0.8")),
    "the same is said in other words": to(transform("full", "0 + $nodes.price.output.body.price")),
    "a threshold moves": to(node("big", "if-else", { condition: "$nodes.price.output.body.price > 60" })),
    "a missing customer is allowed for": to(
      transform("name", "($trigger.body.customer?.name ?? '?') + ': ' + $node.output"),
    ),
    "something more is asked of the customer": to(
      transform(
        "name",
        "$trigger.body.customer.name + ': ' + ($trigger.body.customer.tier === 'gold' ? $node.output : $trigger.body.vip.no)",
      ),
    ),
    "a refusal is gone past": to(check({ onError: "continue" })),
    "an error status is an answer": { ...to(check({ failOnStatus: false })), readsFailure: true },
    "another request is sent": to(post("check", `${url}/check`, { n: "{{ $trigger.body.n + 1 }}" })),
    "another request is sent for some": to(
      post("check", `${url}/check`, { n: "{{ $trigger.body.n > 20 ? 1 : $trigger.body.n }}" }),
    ),
    "another header is sent": to(post("price", `${url}/price`, { n }, { headers: { "x-new": "1" } })),
    "the log says more": to(node("note", "log", { message: "done with {{ $trigger.body.n }}" })),
    "the answer has another status": to(
      node("say", "respond", { status: 201, body: { told: "{{ $nodes.name.output }}" } }),
    ),
    "the run is stopped for some": to(node("note", "stop", { status: "failed", message: "no" })),
    "a node is disabled": to({ ...transform("name", "1"), disabled: true }),
  };
}

/** A loop of requests that may fail, with random values and a sub-flow. */
export function parcelFlow(
  url: string,
  child: string,
  changed: Partial<Record<string, Nodes[number]>> = {},
  loop: object = {},
) {
  const inner = [
    post("ship", `${url}/ship`, { sku: "{{ $item }}" }),
    transform("parcel", "$nodes.ship.output.body.parcel + $index"),
  ];
  const nodes = [
    node("each", "loop", {
      items: "{{ $trigger.body.items }}",
      body: body(
        inner.map((node) => changed[node.id] ?? node),
        ["ship -> parcel"],
      ),
      ...loop,
    }),
    node("sub", "sub-flow", { flowId: child, data: { n } }),
    node("pause", "delay", { ms: 1 }),
    transform("all", "({ parcels: $nodes.each.output, twice: $nodes.sub.output.output })"),
    transform("sorry", "'sorry: ' + $node.output.error.code"),
  ];
  return define(
    nodes.map((node) => changed[node.id] ?? node),
    ["each -> sub", "each:error -> sorry", "sub -> pause", "pause -> all"],
  );
}

export function parcelChanges(url: string, child: string): Readonly<Record<string, Change>> {
  const to = (node: Nodes[number], first = node.id): Change => ({
    to: parcelFlow(url, child, { [node.id]: node }),
    first,
  });
  return {
    "the body makes another value": to(transform("parcel", "$nodes.ship.output.body.parcel + ($index + 1)")),
    "failing items are collected": {
      to: parcelFlow(url, child, {}, { onItemError: "collect" }),
      first: "each",
      sends: "ship",
    },
    "half of the items are left out": {
      to: parcelFlow(url, child, {}, { items: "{{ $trigger.body.items.slice(0, 1) }}" }),
      first: "each",
    },
    "items come in another order": {
      to: parcelFlow(url, child, {}, { items: "{{ $trigger.body.items.toReversed() }}" }),
      first: "each",
    },
    "more items than there were": {
      to: parcelFlow(url, child, {}, { items: "{{ [...$trigger.body.items, 1000] }}" }),
      first: "each",
    },
    "the body asks for something else": to(post("ship", `${url}/ship`, { sku: "{{ $item + 1 }}" })),
    "the body goes past failures": to(transform("parcel", "($nodes.ship.output.body?.parcel ?? 'none') + $index")),
    "the other flow is given something else": to(node("sub", "sub-flow", { flowId: child, data: { n: 5 } })),
    "a longer pause": to(node("pause", "delay", { ms: 2 })),
    "another end": to(transform("all", "({ parcels: $nodes.each.output.length })")),
    "another word for a failure": to(transform("sorry", "'alas: ' + $node.output.error.code")),
  };
}
