// Waits: answered, timed out, in parallel; and waits for sub-flows.
import { post } from "../api-client.ts";
import { node } from "../flows.ts";
import { type Environment, items, resume, send, transform, type VariedRun, varied } from "./varied-run.ts";

const event = async (key: string, data: unknown) => await post("/events", { key, data });
const form = {
  title: "Pay {{ $trigger.body.n }}?",
  fields: [{ name: "note", required: true }],
  actions: [{ id: "yes" }, { id: "no" }],
};

export const waitRuns: Readonly<Record<string, (around: Environment) => VariedRun>> = {
  "a wait for a call": ({ service }) =>
    varied(
      [
        send("order", service.url, { body: { back: "{{ $resume.done }}", n: 7 } }),
        node("done", "wait", { timeoutMs: 600_000 }),
        transform("paid", "[$node.output.body.paid + 1, $node.output.resumedBy, $node.output.resumedAt]"),
      ],
      ["order -> done", "done -> paid"],
      { answer: async (run) => await resume(run, "done", { paid: 5 }) },
    ),
  "an approval that is given": () =>
    varied(
      [
        node("ask", "wait", { form }),
        node("which", "switch", { value: "{{ $node.output.body.action }}", cases: [{ id: "yes", equals: "yes" }] }),
        transform("pay", "'paid: ' + $nodes.ask.output.body.note"),
        transform("leave", "'left'"),
      ],
      ["ask -> which", "which:yes -> pay", "which:default -> leave"],
      { answer: async (run) => await resume(run, "ask", { note: "fine", action: "yes" }) },
    ),
  "a time limit with an edge": () =>
    varied(
      [node("wait", "wait", { timeoutMs: 20 }), transform("late", "'late ' + typeof $node.output.timedOutAt")],
      ["wait:timeout -> late"],
    ),
  "a time limit that fails the run": () =>
    varied([node("wait", "wait", { timeoutMs: 20 }), transform("never", "1")], ["wait -> never"]),
  "a time limit that an error edge catches": () =>
    varied(
      [node("wait", "wait", { timeoutMs: 20 }), transform("why", "$node.output.error.code + '!'")],
      ["wait:error -> why"],
    ),
  "a time limit that goes on": () =>
    varied(
      [node("wait", "wait", { timeoutMs: 20, onError: "continue" }), transform("why", "$node.output.error.code + '!'")],
      ["wait -> why"],
    ),
  "waits beside one another, answered the last first": () =>
    varied(
      [
        node("one", "wait", {}),
        node("two", "wait", {}),
        transform("after", "$nodes.two.output.body.n + 1"),
        node("both", "merge", { mode: "array" }),
      ],
      ["two -> after", "one -> both", "after -> both"],
      { answer: async (run, turn) => await resume(run, turn % 2 === 0 ? "two" : "one", { n: turn + 3 }) },
    ),
  "an event": () =>
    varied(
      [
        node("paid", "wait-for", { key: "paid {{ $trigger.body.n }}", timeoutMs: 600_000 }),
        transform("sum", "$node.output.amount + 1"),
      ],
      ["paid -> sum"],
      { answer: async () => await event("paid 21", { amount: 5 }) },
    ),
  "an event that is a word": () =>
    varied([node("said", "wait-for", { key: "said" }), transform("is", "$node.output + '!'")], ["said -> is"], {
      answer: async () => await event("said", "went"),
    }),
  "an event that does not come": () =>
    varied(
      [node("paid", "wait-for", { key: "never", timeoutMs: 20 }), transform("late", "'late'"), transform("in", "1")],
      ["paid:timeout -> late", "paid -> in"],
    ),
  "a delay until a time, beside a call": ({ service }) =>
    varied(
      [
        node("until", "delay", { until: "{{ new Date(Date.parse($execution.startedAt) + 60).toISOString() }}" }),
        send("call", service.url),
        transform("then", "$trigger.body.n - 1"),
        node("both", "merge", {}),
      ],
      ["until -> then", "call -> both", "then -> both"],
    ),
  "a time that is past": () =>
    varied(
      [node("until", "delay", { until: "2020-01-01T00:00:00Z" }), transform("then", "$node.output.n + 1")],
      ["until -> then"],
    ),
  "a wait that a stop gives up": () =>
    varied(
      [node("wait", "wait", {}), transform("a", "1"), node("stop", "stop", { output: { done: 1 } })],
      ["a -> stop"],
    ),
  "a failure beside a wait": () =>
    varied([node("wait", "delay", { ms: 50 }), transform("breaks", "$trigger.body.missing.x")]),
  "a sub-flow with data of its own": ({ child }) =>
    varied(
      [
        node("sub", "sub-flow", { flowId: child, data: { n: "{{ $trigger.body.n + 1 }}" } }),
        transform("after", "$node.output.output + 1"),
      ],
      ["sub -> after"],
    ),
  "a sub-flow that is not waited for": ({ child }) =>
    varied(
      [
        node("sub", "sub-flow", { flowId: child, wait: false, data: { n: 3 } }),
        transform("after", "$node.output.status + '?'"),
      ],
      ["sub -> after"],
    ),
  "sub-flows that fail, caught in two ways": ({ failing }) =>
    varied(
      [
        node("edge", "sub-flow", { flowId: failing, data: { n: 5 } }),
        transform("sorry", "'sorry: ' + $node.output.error.code"),
        node("on", "sub-flow", { flowId: failing, data: { n: 6 }, onError: "continue" }),
        transform("why", "$node.output.error.code.length + 1"),
      ],
      ["edge:error -> sorry", "on -> why"],
    ),
  "a sub-flow that fails the run": ({ failing }) =>
    varied([node("sub", "sub-flow", { flowId: failing, data: { n: 5 } })]),
  "sub-flows run through": ({ asking }) =>
    varied(
      [
        node("sub", "sub-flow", { flowId: asking, data: { n: "{{ $trigger.body.n * 2 }}" } }),
        node("each", "loop", { items: "{{ [{ n: 1 }, { n: 2 }] }}", flowId: asking, concurrency: 2 }),
        transform("sum", "$nodes.each.output.length + 1"),
      ],
      ["sub -> each", "each -> sum"],
      { deep: true },
    ),
  "failing sub-flows run through": ({ failing, child }) =>
    varied(
      [
        node("each", "loop", { items, flowId: failing, onItemError: "collect", concurrency: 2 }),
        node("sub", "sub-flow", { flowId: child, data: { n: 3 } }),
        node("bad", "sub-flow", { flowId: failing, data: { n: 3 } }),
        transform("why", "$node.output.error.code + '!'"),
      ],
      ["each -> sub", "sub -> bad", "bad:error -> why"],
      { deep: true },
    ),
  "a limit that makes runs wait": () =>
    varied(
      [
        node("slow", "loop", {
          items: "{{ [1, 2, 3] }}",
          body: {
            nodes: [node("limit", "rate-limit", { key: "varied", limit: 1, perMs: 40 }), transform("of", "$item * 2")],
            edges: [{ source: "limit", target: "of" }],
          },
        }),
      ],
      [],
    ),
};
