import { describe, expect, it } from "vitest";
import { get, patch, send } from "#e2e/support/api-client.ts";
import {
  createFlow,
  edge,
  execute,
  type LogEntry,
  node,
  outputOf,
  readExecution,
  run,
  type TestFlow,
  transform,
} from "#e2e/support/flows.ts";

const texts = [
  ["U+0000", "a\u0000b\u0000"],
  ["a lone surrogate", "a\ud800b"],
  ["a trailing surrogate", "\udfff"],
  ["an emoji of several parts", "👩‍👩‍👧‍👦 🇨🇭"],
  ["combining marks", "e\u0301\u0302 ñ Å"],
  ["a right-to-left override", "abc\u202edef"],
  ["markup", "<script>alert(1)</script>&amp;\"'`"],
  ["a statement", "'; DROP TABLE flow; --"],
  ["a byte order mark", "\ufefftext"],
  ["line ends", "a\r\nb\u2028c\u2029d\u0085"],
  ["braces", "{{ 1 + 1 }} \\{{ }}"],
  ["a backslash", "\\ \\u0041 \\\\"],
] as const;

describe("text that is data comes back unchanged", () => {
  // Proves text.variables
  it.each(texts)("%s, in variables and their keys", async (_, text) => {
    const variables = { [text]: [text, { [text]: text }] };
    const { id } = await createFlow({ variables });
    expect((await get<TestFlow>(`/flows/${id}`)).data.variables).toEqual(variables);
    await patch(`/flows/${id}`, { variables: { changed: text } });
    expect((await get<TestFlow>(`/flows/${id}`)).data.variables).toEqual({ changed: text });
  });

  // Proves text.runs
  it.each(texts)("%s, in a run's data and outputs", async (_, text) => {
    const nodes = [
      transform("path", "$trigger.body"),
      transform("code", "({ ...$node.output, more: $trigger.body.text + '' })"),
    ];
    const data = { text, [text]: { [text]: [text] } };
    const ended = await run(nodes, [edge("path", "code")], data);
    expect(outputOf(ended, "path")).toEqual(data);
    expect(ended.output).toEqual({ ...data, more: text });
    const execution = await readExecution(ended.executionId, "?includeNodeOutputs=true");
    expect(execution).toMatchObject({ output: { ...data, more: text }, trigger: { data } });
    expect(outputOf(execution, "path")).toEqual(data);
  });

  // Proves text.trigger-bodies
  it.each(texts)("%s, through a trigger URL", async (_, text) => {
    const { trigger } = await createFlow({ nodes: [transform("t", "$trigger.body.text")] });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(trigger.config.url, { method: "POST", headers, body: JSON.stringify({ text }) });
    expect(JSON.parse(await answer.text())).toBe(text);
  });

  it.each(texts)("%s, in a node's config", async (_, text) => {
    const nodes = [{ ...node("n", "log", { notes: "n", message: "m", data: { [text]: text } }) }];
    const { id, nodes: created } = await createFlow({ nodes });
    expect(created[0]?.config.data).toEqual({ [text]: text });
    expect((await get<TestFlow>(`/flows/${id}`)).data.nodes[0]?.config.data).toEqual({ [text]: text });
  });

  it.each(texts.filter(([, text]) => text.isWellFormed() && !text.includes("\u0000")))(
    "%s, in names, descriptions and tags",
    async (_, text) => {
      const fields = { name: `n${text}n`, description: text, tags: [text] };
      const { id } = await createFlow(fields);
      expect((await get<TestFlow>(`/flows/${id}`)).data).toMatchObject(fields);
    },
  );
});

describe("text that a database cannot store does not block a run", () => {
  const text = "a\u0000b\ud800";

  it("in a log message", async () => {
    const ended = await run(
      [node("n", "log", { message: "<{{ $trigger.body.text }}>", data: "{{ $trigger.body.text }}" })],
      [],
      { text },
    );
    expect(ended.status).toBe("completed");
    const [entry] = (await get<LogEntry[]>(`/executions/${ended.executionId}/logs?nodeId=n`)).data;
    expect(entry).toMatchObject({ message: "<a\ufffdb\ufffd>", data: text });
  });

  it("in a warning", async () => {
    const ended = await run([node("n", "code", { code: "console.warn($trigger.body.text); return 1;" })], [], { text });
    expect(ended.status).toBe("completed");
    expect((await readExecution(ended.executionId)).warningCount).toBe(1);
  });

  it("in the message of a failure", async () => {
    const ended = await run([transform("n", "(() => { throw new Error($trigger.body.text) })()")], [], { text });
    expect(ended).toMatchObject({
      status: "failed",
      error: { nodeId: "n", message: expect.stringContaining("a\ufffdb") },
    });
    expect((await readExecution(ended.executionId)).error?.message).toBe(ended.error?.message);
  });

  it("in the id of a case", async () => {
    const cases = [{ id: text, equals: 1 }];
    const ended = await run([node("n", "switch", { value: "1", cases })]);
    expect(ended).toMatchObject({ status: "failed", error: { code: "INVALID_CONFIG" } });
  });
});

describe("keys with a meaning in JavaScript are data like all others", () => {
  const odd =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x","hasOwnProperty":5}';

  // Proves text.inherited-names
  it("in variables and configs", async () => {
    const body = `{"name":"x","trigger":{"type":"webhook"},"variables":${odd},"nodes":[{"id":"n","type":"log","config":{"data":${odd}}}]}`;
    const headers = { "content-type": "application/json" };
    const { data } = await send<TestFlow>("POST", "/flows", body, { headers });
    const { text } = await get(`/flows/${data.id}`);
    expect(text).toContain(`"variables":${odd}`);
    expect(text).toContain(`"data":${odd}`);
  });

  // Proves text.inherited-names
  it("in a run's data, in the sandbox and outside it", async () => {
    const { id } = await createFlow({
      nodes: [transform("path", "$trigger.body"), transform("code", "(() => $trigger.body)()")],
    });
    const body = `{"async":false,"data":${odd}}`;
    const headers = { "content-type": "application/json" };
    const { text } = await send("POST", `/flows/${id}/execute`, body, { headers });
    expect(text).toContain(`{"nodeId":"path","status":"completed","output":${odd}}`);
    expect(text).toContain(`{"nodeId":"code","status":"completed","output":${odd}}`);
  });

  it("in a config with templates", async () => {
    const { id } = await createFlow({
      nodes: [transform("t", JSON.parse('{"__proto__":"{{ 1 + 1 }}","a":["{{ 3 }}"]}'))],
    });
    const { text } = await send("POST", `/flows/${id}/execute`, '{"async":false}', {
      headers: { "content-type": "application/json" },
    });
    expect(text).toContain('"output":{"__proto__":2,"a":[3]}');
  });

  it.each(["__proto__", "constructor", "toString", "a'].output", "1", "ein Knoten 👍"])(
    "as the node id %j",
    async (id) => {
      const reader = `$nodes[${JSON.stringify(id)}].output`;
      const nodes = [transform(id, "41"), transform("path", reader), transform("code", `(() => ${reader} + 1)()`)];
      const ended = await run(nodes, [edge(id, "path"), edge("path", "code")]);
      expect([outputOf(ended, "path"), ended.output]).toEqual([41, 42]);
    },
  );
});

describe("numbers", () => {
  // Proves text.numbers
  it.each([0, -0.5, 1e21, 5e-324, 9007199254740991, 0.1, -1e-7, 1.7976931348623157e308])(
    "%d is returned unchanged",
    async (n) => {
      const { id } = await createFlow({
        variables: { n },
        nodes: [transform("t", "[$vars.n, $trigger.body.n, (() => $vars.n)()]")],
      });
      expect((await get<TestFlow>(`/flows/${id}`)).data.variables.n).toBe(n);
      expect((await execute(id, { n })).output).toEqual([n, n, n]);
    },
  );
});
