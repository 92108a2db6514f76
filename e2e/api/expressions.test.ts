import { describe, expect, it } from "vitest";
import { countingServer } from "#e2e/support/counting-server.ts";
import { createFlow, edge, evaluate, execute, node, run, transform } from "#e2e/support/flows.ts";

const data = { n: 5, text: "hi", list: [1, { deep: true }], none: null, flag: false, object: { a: 1 } };

describe("a string that is one expression keeps the value's type", () => {
  // Proves expressions.type
  it.each([
    ["{{ $trigger.body.n }}", 5],
    ["{{$trigger.body.n}}", 5],
    ["{{ $trigger.body.list }}", [1, { deep: true }]],
    ["{{ $trigger.body.none }}", null],
    ["{{ $trigger.body.missing }}", null],
    ["{{ $trigger.body.flag }}", false],
    ["{{ $trigger.body.n > 3 }}", true],
    ["{{ undefined }}", null],
    ["{{ ({ a: { b: 1 } }) }}", { a: { b: 1 } }],
    ["{{ {a: {b: 1}} }}", { a: { b: 1 } }],
    ['{{ "}}" }}', "}}"],
    ["{{ '{{' + \"}}\" }}", "{{}}"],
    ["{{ `a}}b` }}", "a}}b"],
    ["{{ /}}/.test('}}') }}", true],
    ["{{ 1 /* }} */ }}", 1],
    ["{{ [1, 2].map((x) => ({ x })) }}", [{ x: 1 }, { x: 2 }]],
    ["{{ $trigger.body.list[1].deep }}", true],
    ["{{ $trigger.body['te' + 'xt'] }}", "hi"],
  ])("%s", async (template, value) => {
    const ended = await run([transform("t", { v: template })], [], data);
    expect(ended.output).toEqual({ v: value });
  });
});

describe("an expression in other text is joined to it", () => {
  // Proves expressions.joined
  it.each([
    ["n is {{ $trigger.body.n }}!", "n is 5!"],
    ["{{ 1 }}{{ 2 }}", "12"],
    [" {{ 1 }}", " 1"],
    ["{{ $trigger.body.object }} and {{ $trigger.body.list }}", '{"a":1} and [1,{"deep":true}]'],
    ["<{{ null }}{{ undefined }}{{ $trigger.body.missing }}>", "<>"],
    ["{{ true }} {{ 0.5 }}", "true 0.5"],
    ["\\{{ not this }}", "{{ not this }}"],
    ["\\{{ a }} but {{ 'b' }}", "{{ a }} but b"],
    ["a } b }} c { d", "a } b }} c { d"],
    ["{ {{ 1 }} }", "{ 1 }"],
  ])("%s", async (template, text) => {
    expect((await run([transform("t", { v: template })], [], data)).output).toEqual({ v: text });
  });

  // Proves expressions.depth
  it("at any depth of objects and lists", async () => {
    const given = { a: [{ b: ["{{ 1 }}", "x{{ 2 }}"] }], c: "plain", d: 5 };
    expect((await run([transform("t", given)])).output).toEqual({ a: [{ b: [1, "x2"] }], c: "plain", d: 5 });
  });
});

describe("condition and transform may go without braces", () => {
  // Proves expressions.without-braces
  it.each([
    ["$trigger.body.n + 1", 6],
    ["{{ $trigger.body.n + 1 }}", 6],
    ["const a = $trigger.body.n; return a * 2;", 10],
    ["if ($trigger.body.n > 3) { return 'big'; } return 'small';", "big"],
    ["for (const x of $trigger.body.list) { if (x.deep) return x; }", { deep: true }],
    ["return;", null],
    ["''", ""],
    ["({ a: 1 })", { a: 1 }],
    ["{ a: 1 }", { a: 1 }],
    ["[1, 2]", [1, 2]],
    ["'return'", "return"],
    ["'text with {{ braces }}'", "text with {{ braces }}"],
    ["total: {{ $trigger.body.n }}", "total: 5"],
  ])("%s", async (program, value) => {
    expect(await evaluate(program, data)).toEqual(value);
  });
});

describe("the scope", () => {
  // Proves expressions.scope
  it.each([
    ["$trigger.body.text", "hi"],
    ["$vars.region", "eu"],
    ["$node.output.text", "hi"],
    ["$flow.name", "Scoped"],
    ["typeof $flow.id + typeof $execution.id + typeof $execution.startedAt", "stringstringstring"],
    ["Math.max(1, 2) + JSON.parse('[3]')[0]", 5],
    ["new Date(0).toISOString()", "1970-01-01T00:00:00.000Z"],
    ["'a-b'.split('-').reverse().join('')", "ba"],
    ["$switch", null],
  ])("%s", async (program, value) => {
    expect(await evaluate(program, data, { name: "Scoped", variables: { region: "eu" } })).toEqual(value);
  });

  // Proves expressions.execution-flow
  it("$execution and $flow are those of the run", async () => {
    const flow = await createFlow({ nodes: [transform("t", "[$execution.id, $execution.startedAt, $flow.id]")] });
    const result = await execute(flow.id);
    expect(result.output).toEqual([result.executionId, result.startedAt, flow.id]);
  });

  // Proves expressions.node-before
  it("$node is the previous node, with its id and name", async () => {
    const nodes = [{ ...transform("a", "1"), name: "First" }, transform("b", "$node")];
    expect((await run(nodes, [edge("a", "b")])).output).toEqual({ id: "a", name: "First", output: 1 });
  });

  it("$node of a join is the source of the taken edge", async () => {
    const nodes = [
      node("check", "if-else", { condition: "false" }),
      transform("yes", "1"),
      transform("no", "2"),
      transform("join", "$node.output"),
    ];
    const edges = [edge("check", "yes", "true"), edge("check", "no", "false"), edge("yes", "join"), edge("no", "join")];
    expect((await run(nodes, edges)).output).toBe(2);
  });

  // Proves expressions.headers, trigger-urls.scope
  it("headers have lower-case names, and the query its values", async () => {
    const { trigger } = await createFlow({
      nodes: [transform("t", "[$trigger.headers['x-mark'], $trigger.query, $trigger.method]")],
    });
    const url = `${trigger.config.url}?a=1&b=2&b=3&__proto__=x&empty=`;
    const answer = await fetch(url, { method: "POST", headers: { "X-Mark": "Yes" } });
    expect(await answer.text()).toBe('["Yes",{"a":"1","b":["2","3"],"__proto__":"x","empty":""},"POST"]');
  });

  // Proves graph.skipped-output
  it("a skipped node's output is undefined, a failed one's is its error", async () => {
    const nodes = [
      node("check", "if-else", { condition: "false" }),
      transform("never", "1"),
      transform("bad", "$trigger.body.a.b", { onError: "continue" }),
      transform("t", "[typeof $nodes['never'].output, $nodes.bad.output.error.code]"),
    ];
    const edges = [edge("check", "never", "true"), edge("never", "t"), edge("bad", "t")];
    expect((await run(nodes, edges)).output).toEqual(["undefined", "EXPRESSION_FAILED"]);
  });

  // Proves expressions.no-host
  it("no host object is within reach", async () => {
    const names = [
      "process",
      "require",
      "fetch",
      "global",
      "window",
      "setTimeout",
      "Buffer",
      "module",
      "XMLHttpRequest",
    ];
    expect(await evaluate(`[${names.map((name) => `typeof ${name}`).join()}]`)).toEqual(names.map(() => "undefined"));
    const attempt =
      "(() => { try { return typeof this.constructor.constructor('return process')() } catch (e) { return 'refused' } })()";
    expect(["undefined", "refused"]).toContain(await evaluate(attempt));
  });
});

describe("text in data is never evaluated", () => {
  // Proves expressions.data-is-text
  it.each(["{{ 1 + 1 }}", "\\{{ x }}", "{{ $vars.secret }}"])("%s stays text", async (text) => {
    const sink = await countingServer(() => ({ body: { text } }));
    const nodes = [
      node("call", "http-request", { url: sink.url, method: "POST", body: { sent: "{{ $trigger.body.text }}" } }),
      transform("t", { whole: "{{ $nodes.call.output.body.text }}", mixed: "<{{ $trigger.body.text }}>" }),
      transform("again", "{{ $node.output }}"),
    ];
    const ended = await run(
      nodes,
      [edge("call", "t"), edge("t", "again")],
      { text },
      { variables: { secret: "s3cret" } },
    );
    expect(ended.output).toEqual({ whole: text, mixed: `<${text}>` });
    expect(JSON.parse(sink.received[0]?.body ?? "")).toEqual({ sent: text });
  });
});
