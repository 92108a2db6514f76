// Branches, failures and answers.
import { node } from "../flows.ts";
import { disabled, type Environment, send, transform, type VariedRun, varied } from "./varied-run.ts";

export const controlRuns: Readonly<Record<string, (around: Environment) => VariedRun>> = {
  "both branches of a condition meet again": () =>
    varied(
      [
        node("if", "if-else", { condition: "$trigger.body.n > 20" }),
        transform("yes", "$trigger.body.n * 2"),
        transform("no", "7"),
        node("first", "merge", { mode: "first" }),
        transform("end", "$node.output + 1"),
      ],
      ["if:true -> yes", "if:false -> no", "yes -> first", "no -> first", "first -> end"],
    ),
  "a switch whose case has a condition": () =>
    varied(
      [
        node("by", "switch", {
          value: "{{ $trigger.body.tier }}",
          cases: [
            { id: "low", when: "$trigger.body.n < 21" },
            { id: "high", when: "$trigger.body.n > 20" },
          ],
        }),
        transform("low", "'low'"),
        transform("high", "'high of ' + $switch.value"),
      ],
      ["by:low -> low", "by:high -> high"],
    ),
  "a switch that nothing fits": ({ service }) =>
    varied(
      [
        node("by", "switch", {
          value: "{{ $trigger.body.tier }}",
          cases: [{ id: "tin", when: "$trigger.body.n < 21" }],
        }),
        transform("tin", "1"),
        send("rest", service.url),
      ],
      ["by:tin -> tin", "by:default -> rest"],
    ),
  "branches at once, of which one is skipped, as a list": ({ service }) =>
    varied(
      [
        send("a", service.url),
        node("if", "if-else", { condition: "$trigger.body.n < 21" }),
        transform("b", "'b'"),
        transform("c", "$trigger.body.n - 1"),
        node("all", "merge", { mode: "array" }),
        transform("count", "$node.output.length + 1"),
      ],
      ["if:true -> b", "a -> all", "b -> all", "c -> all", "all -> count"],
    ),
  "a join that goes on with what comes first by order": ({ service }) =>
    varied(
      [
        send("slow", service.url),
        transform("quick", "3"),
        node("one", "merge", { mode: "first" }),
        transform("end", "$node.output"),
      ],
      ["slow -> one", "quick -> one", "one -> end"],
    ),
  "disabled nodes between others": ({ service }) =>
    varied(
      [
        transform("a", "$trigger.body.n + 5"),
        disabled(send("off", service.url)),
        disabled(node("if", "if-else", { condition: "1 > 2" })),
        transform("b", "$node.output + 6"),
        transform("never", "8"),
      ],
      ["a -> off", "off -> if", "if:true -> b", "if:false -> never"],
    ),
  "an answer, and more nodes after it": ({ service }) =>
    varied(
      [
        node("say", "respond", { status: 201, headers: { "x-kind": "early" }, body: { ok: 1 } }),
        send("after", service.url, { body: { id: "{{ $execution.id }}", run: "{{ $flow.name }}" } }),
        transform("end", "$node.output.body.id + 1"),
      ],
      ["say -> after", "after -> end"],
    ),
  "two answers, of which a branch gives one": () =>
    varied(
      [
        node("if", "if-else", { condition: "$trigger.body.tier === 'gold'" }),
        node("yes", "respond", { status: 202, body: "taken" }),
        node("no", "respond", { status: 402, body: "refused" }),
      ],
      ["if:true -> yes", "if:false -> no"],
    ),
  "a stop that fails the run beside a call": ({ service }) =>
    varied(
      [
        send("pay", service.url),
        transform("one", "1"),
        node("stop", "stop", { status: "failed", message: "no more than {{ $trigger.body.n + 1 }}" }),
      ],
      ["pay -> one", "one -> stop"],
    ),
  "failures that edges catch, one after the other": ({ service }) =>
    varied(
      [
        transform("breaks", "$trigger.body.missing.x"),
        send("tell", `${service.url}/status/500`, { body: { why: "{{ $node.output.error.code }}", level: 3 } }),
        transform("last", "'told: ' + $node.output.error.code"),
        transform("fine", "2"),
      ],
      ["breaks:error -> tell", "breaks -> fine", "tell:error -> last", "tell -> fine"],
    ),
  "code that fails and goes on": () =>
    varied(
      [
        node("code", "code", { code: "throw new Error('no ' + $trigger.body.n)", onError: "continue" }),
        transform("why", "$node.output.error.message + '?'"),
      ],
      ["code -> why"],
    ),
  "an error edge beside a plain one, that is not taken": () =>
    varied(
      [transform("a", "1"), transform("b", "$node.output + 1"), transform("c", "'never'")],
      ["a -> b", "a:error -> c"],
    ),
  "variables in objects and lists": () =>
    varied(
      [transform("all", { rates: ["{{ $vars.rates[1] }}", "{{ $vars.name }} of {{ $trigger.body.n }}"], fixed: 5 })],
      [],
      { variables: { rates: [1, 2], name: "Rate" } },
    ),
  "time, chance and ids": ({ service }) =>
    varied(
      [
        node("code", "code", {
          code: "console.log(Math.random()); return [Math.random() * 3, Date.now() + 1, new Date().toISOString(), new Date(2020, 1, 2).getTime()]",
        }),
        transform("ids", "[$execution.id, $flow.id, $execution.startedAt, new Date().getTimezoneOffset() + 1]"),
        send("note", service.url, { headers: { "x-run": "{{ $execution.id }}" }, body: "{{ $nodes.code.output[0] }}" }),
        node("log", "log", { message: "at {{ Date.now() }}", level: "warning" }),
      ],
      ["code -> ids", "ids -> note", "note -> log"],
    ),
  "text with U+0000, surrogates and braces": () =>
    varied(
      [
        transform("odd", "'a\\u0000b' + $trigger.body.n + '\\ud83d'"),
        transform("text", "{{ 'x' }}{{ '}' }} is {{ $node.output.length + 1 }}"),
      ],
      ["odd -> text"],
    ),
};
