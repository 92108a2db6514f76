// Loops: nested, parallel, with waits, with failures.
import { node } from "../flows.ts";
import { body, type Environment, items, resume, send, transform, type VariedRun, varied } from "./varied-run.ts";

const loop = (id: string, nodes: Parameters<typeof body>[0], arrows: string[] = [], config: object = {}) =>
  node(id, "loop", { items, body: body(nodes, arrows), ...config });

export const loopRuns: Readonly<Record<string, (around: Environment) => VariedRun>> = {
  "loops in loops beside one another": ({ service }) => {
    const inner = (name: string) =>
      node(`${name}-inner`, "loop", {
        items: "{{ [1, 2, 3].slice(0, $index + 1) }}",
        concurrency: 2,
        body: body([send(`${name}-call`, service.url, { body: { of: "{{ $item * 10 }}" } })]),
      });
    const outer = (name: string) => node(name, "loop", { items, concurrency: 3, body: body([inner(name)]) });
    return varied(
      [outer("left"), outer("right"), node("both", "merge", { mode: "object" })],
      ["left -> both", "right -> both"],
    );
  },
  "a loop that collects, of calls of which one fails": ({ service }) =>
    varied(
      [
        loop("each", [send("ship", `${service.url}/odd`, { body: { sku: "{{ $item.sku }}", by: "land" } })], [], {
          onItemError: "collect",
          concurrency: 3,
        }),
        transform("failed", "$node.output.filter((one) => one.error).length + 1"),
      ],
      ["each -> failed"],
    ),
  "a loop that a failing item ends": ({ service }) =>
    varied(
      [loop("each", [send("ship", `${service.url}/odd`, { body: "{{ $item }}" })]), transform("never", "1")],
      ["each -> never"],
    ),
  "a loop whose failure an edge catches": ({ service }) =>
    varied(
      [
        loop("each", [send("ship", `${service.url}/odd`, { body: "{{ $item }}" })]),
        transform("sorry", "'sorry: ' + $node.output.error.code"),
      ],
      ["each:error -> sorry"],
    ),
  "a loop in which nodes go on after failures": ({ service }) =>
    varied([
      loop(
        "each",
        [
          send("ship", `${service.url}/odd`, { body: "{{ $item }}", onError: "continue" }),
          transform("as", "$node.output.error ? 'no ' + $node.output.error.code : 'yes'"),
        ],
        ["ship -> as"],
        { concurrency: 2 },
      ),
    ]),
  "a loop with retries, each attempt of its own": ({ service }) =>
    varied([
      loop(
        "each",
        [send("late", `${service.url}/late/{{ $index }}`, { retry: { maxRetries: 4, retryDelay: 0 } })],
        [],
        {
          concurrency: 3,
        },
      ),
    ]),
  "a loop with branches": ({ service }) =>
    varied([
      loop(
        "each",
        [
          node("if", "if-else", { condition: "$item.price > 3" }),
          send("dear", service.url, { body: "{{ $item.price + 1 }}" }),
          transform("cheap", "$item.price * 2"),
          node("one", "merge", { mode: "first" }),
        ],
        ["if:true -> dear", "if:false -> cheap", "dear -> one", "cheap -> one"],
      ),
    ]),
  "delays in a loop": ({ service }) =>
    varied([
      loop(
        "each",
        [
          node("pause", "delay", { ms: "{{ 30 - $index * 10 }}" }),
          send("ship", service.url, { body: "{{ $item.price }}" }),
        ],
        ["pause -> ship"],
        { concurrency: 3 },
      ),
    ]),
  "waits in a loop, answered the last first": () =>
    varied(
      [
        loop(
          "each",
          [node("ask", "wait", {}), transform("said", "$node.output.body.ok + ' ' + $item.sku")],
          ["ask -> said"],
          { concurrency: 3 },
        ),
      ],
      [],
      { answer: async (run, turn) => await resume(run, "ask", { ok: `yes ${2 - (turn % 3)}` }, 2 - (turn % 3)) },
    ),
  "time limits of waits in a loop": () =>
    varied([
      loop(
        "each",
        [node("ask", "wait", { timeoutMs: 30 }), transform("late", "'late ' + ($index + 1)")],
        ["ask:timeout -> late"],
        { concurrency: 2 },
      ),
    ]),
  "an empty loop beside one over a flow": ({ child }) =>
    varied([
      loop("none", [transform("never", "1")], [], { items: "{{ [] }}" }),
      node("each", "loop", { items: "{{ [{ n: 1 }, { n: 2 }] }}", flowId: child, concurrency: 2 }),
    ]),
  "a loop over a flow that fails for each, collected": ({ failing }) =>
    varied(
      [
        node("each", "loop", { items, flowId: failing, onItemError: "collect" }),
        transform("n", "$node.output.length + 1"),
      ],
      ["each -> n"],
    ),
  "chance in every item": () =>
    varied(
      [
        loop("each", [transform("chance", "[Math.random() * 2, $index, Date.now()]")]),
        transform("sum", "$node.output.flat().length + 1"),
      ],
      ["each -> sum"],
    ),
  "an inner loop that collects what an outer one reads": () =>
    varied([
      loop(
        "outer",
        [
          loop("inner", [transform("of", "$item.price.toFixed(1)")], [], {
            items: "{{ [null, $item] }}",
            onItemError: "collect",
          }),
          transform("found", "$nodes.inner.output[1] + '!'"),
        ],
        ["inner -> found"],
      ),
    ]),
  "forty calls at once": ({ service }) =>
    varied(
      [
        loop("each", [send("ship", service.url, { body: "{{ $item }}" })], [], {
          items: "{{ Array.from({ length: 40 }, (_, at) => at % 7) }}",
          concurrency: 20,
        }),
        transform("sum", "$node.output.length + 2"),
      ],
      ["each -> sum"],
    ),
  "a stop in a loop": () =>
    varied([
      loop(
        "each",
        [
          node("if", "if-else", { condition: "$index > 0" }),
          node("stop", "stop", { output: "enough: {{ $item.sku }}" }),
        ],
        ["if:true -> stop"],
      ),
    ]),
  "a loop in a branch, and what comes after": ({ service }) =>
    varied(
      [
        node("if", "if-else", { condition: "$trigger.body.items.length > 2" }),
        loop(
          "each",
          [send("ship", service.url, { body: "{{ $item.sku }}" }), transform("id", "$nodes.ship.output.body.id + 1")],
          ["ship -> id"],
        ),
        transform("sum", "$nodes.each.output.length * 4"),
      ],
      ["if:true -> each", "each -> sum"],
    ),
};
