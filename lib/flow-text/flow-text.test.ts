import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FlowDocument } from "./flow-document.ts";
import { textLimits } from "./parse-yaml.ts";
import { readFlowText } from "./read-flow-text.ts";
import { hostileTexts } from "./testing/hostile-texts.ts";
import { anyFlow, anyText, meaningOf } from "./testing/random-flows.ts";
import { writeFlowText } from "./write-flow-text.ts";

function readBack(text: string): FlowDocument {
  const read = readFlowText(text);
  if (read.problems !== undefined) throw new Error(`${JSON.stringify(read.problems[0])}\n${text}`);
  return read.document;
}

function problemsOf(text: string): string[] {
  return (readFlowText(text).problems ?? []).map(
    ({ line, column, path, message }) => `${line}:${column} ${path} ${message}`,
  );
}

const example = JSON.parse(readFileSync("examples/order-intake.json", "utf8"));
const order: FlowDocument = {
  version: "1.0.0",
  flow: { ...example, nodes: example.nodes.map((node: object) => ({ position: { x: 0, y: 0 }, config: {}, ...node })) },
};
const minimal = (nodes: string) => `version: 1\nname: F\ntrigger: {type: manual}\nnodes:\n${nodes}`;

describe("random flows", () => {
  test("survive a round trip through text, with the same bytes", () => {
    fc.assert(
      fc.property(anyFlow, (flow) => {
        const text = writeFlowText(flow);
        const back = readBack(text);
        expect(meaningOf(back)).toEqual(meaningOf(flow));
        expect(writeFlowText(back)).toBe(text);
      }),
      { numRuns: 400 },
    );
  });

  test("keep what only resembles a loop's body as it is, such as a request's", () => {
    const config = { method: "POST", url: "https://api.test/", body: { nodes: [] } };
    const nodes = [{ id: "send", type: "http-request", name: "Send", position: { x: 0, y: 0 }, config }];
    const trigger = { type: "manual", config: {} } as const;
    const flow: FlowDocument = { version: "1.0.0", flow: { name: "F", description: null, trigger, nodes, edges: [] } };
    expect(meaningOf(readBack(writeFlowText(flow)))).toEqual(meaningOf(flow));
  });

  test("keep a node, a header and a parameter that are named __proto__ in their tests", () => {
    const test = `{"name":"T","trigger":{"body":{},"headers":{"__proto__":"a"},"query":{"__proto__":"b"},"method":"POST"},
      "recordings":{"__proto__":{"output":1}},"expect":{"status":"completed","nodes":{"__proto__":{"output":1}}}}`;
    const flow = { ...order, tests: [JSON.parse(test)] };
    expect(JSON.stringify(readBack(writeFlowText(flow)).tests)).toBe(JSON.stringify(flow.tests));
  });

  test("keep the order of inputs where edges of two handles alternate", () => {
    const node = (id: string) => ({ id, type: "log", name: id, position: { x: 0, y: 0 }, config: {} });
    const edges = [
      { source: "trigger", target: "one", sourceHandle: "2" },
      { source: "trigger", target: "other", sourceHandle: "a" },
      { source: "from", target: "other" },
      { source: "from", target: "one" },
      { source: "trigger", target: "one", sourceHandle: "2" },
    ];
    const nodes = ["one", "from", "other"].map(node);
    const trigger = { type: "manual", config: {} } as const;
    const flow: FlowDocument = { version: "1.0.0", flow: { name: "F", description: null, trigger, nodes, edges } };
    const text = writeFlowText(flow);
    const back = readBack(text);
    expect(meaningOf(back)).toEqual(meaningOf(flow));
    expect(writeFlowText(back)).toBe(text);
  });

  test("can be cut or changed anywhere: the text parses to a flow or reports a position", () => {
    const change = fc.tuple(anyFlow, fc.nat(), fc.nat(20), fc.oneof(anyText, fc.constantFrom(...hostileTexts)));
    fc.assert(
      fc.property(change, ([flow, from, length, put]) => {
        const text = writeFlowText(flow);
        const at = from % text.length;
        const read = readFlowText(text.slice(0, at) + put + text.slice(at + length));
        if (read.problems === undefined) {
          const rewritten = writeFlowText(read.document);
          expect(writeFlowText(readBack(rewritten))).toBe(rewritten);
        } else {
          expect(read.problems.length).toBeGreaterThan(0);
          for (const { line, column } of read.problems) expect(Math.min(line, column)).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("keep a comment on each line, with the same bytes", () => {
    fc.assert(
      fc.property(anyFlow, (flow) => {
        const text = writeFlowText(flow).split("\n");
        const entries = text.flatMap((line, index) => (/^ *[a-z]+: *[\w.]*$/.test(line) && index > 0 ? [index] : []));
        // Above and beside entries of the format; a block's text may look like a comment.
        const own = entries.filter((index) =>
          /^(version|name|trigger|nodes|variables|tests|layout):/.test(text[index] ?? ""),
        );
        for (const index of own) text[index] = `# above ${index}\n\n${text[index]} # beside ${index}`;
        const commented = `${text.join("\n")}# the end\n`;
        expect(writeFlowText(readBack(commented), { previous: commented })).toBe(commented);
      }),
      { numRuns: 100 },
    );
  });
});

describe("a text", () => {
  test("is what docs/flows-as-code.md shows", () => {
    const docs = readFileSync("docs/flows-as-code.md", "utf8");
    const [, shown = ""] = /```yaml\n([\s\S]*?)```/.exec(docs) ?? [];
    expect(shown).toContain("nodes:");
    expect(writeFlowText(readBack(shown), { previous: shown })).toBe(shown);
  });

  test("has no generated values: no export time, trigger URL or derived edge id", () => {
    const { flow } = order;
    const trigger = {
      type: "webhook" as const,
      config: { method: "POST", url: "https://example.com/v1/webhooks/hook_1" },
    };
    const edges = flow.edges.map((edge, index) => ({ ...edge, id: index === 0 ? "check.true→rate" : `own-${index}` }));
    const stored = { ...order, exportedAt: "2026-01-31T10:00:00.000Z", flow: { ...flow, trigger, edges } };
    const text = writeFlowText(stored);
    expect(text).not.toMatch(/exportedAt|2026|hook_|→/);
    expect(text).toContain("id: own-1");
  });

  test("keeps comments and empty lines with their entries, and drops those of removed entries", () => {
    const text = `# yaml-language-server: $schema=https://flows.example.com/api/v1/flow-schema.json
version: 1.0.0
name: F # told to everybody
trigger:
  type: manual
  # at the end of the trigger

# Two nodes
nodes:
  a:
    type: log
    config:
      # why
      message: hello # beside
      list:
        # first
        - 1
        - 2 # second
    next: b

  # Is removed
  b: # this too
    type: log
# the end
`;
    const document = readBack(text);
    expect(writeFlowText(document, { previous: text })).toBe(text);
    const [a] = document.flow.nodes;
    const without = {
      ...document,
      flow: { ...document.flow, name: "G", nodes: a === undefined ? [] : [a], edges: [] },
    };
    const expected = text
      .replace("name: F", "name: G")
      .replace(/\n {4}next: b\n\n {2}# Is removed\n {2}b: # this too\n {4}type: log/, "");
    expect(writeFlowText(without, { previous: text })).toBe(expected);
    expect(writeFlowText(document, { previous: text.replaceAll("\n", "\r\n") })).toBe(text);
    expect(writeFlowText(document, { previous: "a: [" })).toBe(writeFlowText(document));
  });

  test("may be written by hand in any style of YAML", () => {
    const text = `{version: 1, name: 'F', trigger: {type: manual, next: 1}, nodes: {1: {type: log, next: {true: [2, {to: 3, label: x}]}}, 2: {type: log}, 3: {"type": "log", inputs: [1]}}}`;
    expect(readBack(text).flow).toMatchObject({
      nodes: [{ id: "1", name: "1", position: { x: 0, y: 0 }, config: {} }, { id: "2" }, { id: "3" }],
      edges: [
        { source: "trigger", target: "1" },
        { source: "1", target: "2", sourceHandle: "true" },
        { source: "1", target: "3", sourceHandle: "true", label: "x" },
      ],
    });
  });

  test("gives the position of a path of its flow", () => {
    const read = readFlowText(minimal("  a:\n    type: log\n    config:\n      x: [1, {y: 2}]\n    next: b\n"));
    if (read.problems !== undefined) throw new Error(JSON.stringify(read.problems));
    const placeOf = (path: string) => Object.values(read.placeOf(path)).join(" ");
    expect(placeOf("nodes[0].config.x[1].y")).toBe("8 18 nodes.a.config.x[1].y");
    expect(placeOf("nodes[0].config.missing")).toBe("7 5 nodes.a.config");
    expect(placeOf("edges[0].target")).toBe("9 11 nodes.a.next");
    expect(placeOf("trigger.type")).toBe("3 17 trigger.type");
  });
});

describe("a problem", () => {
  test("is reported with line, column and path", () => {
    expect(problemsOf("a: [1")).toEqual([expect.stringMatching(/^1:6 {2}Flow sequence/)]);
    expect(problemsOf("")).toEqual(["1:1  is empty"]);
    expect(problemsOf(minimal("  a:\n    typ: log\n"))).toEqual([
      "5:3 nodes.a type is required",
      expect.stringMatching(/^6:5 nodes.a.typ is not known here; known are type, name/),
    ]);
    expect(problemsOf(minimal("  a: {type: log}\n  a: {type: log}\n"))).toEqual(["6:3 nodes.a is given twice"]);
    expect(problemsOf(minimal("  a: {type: log, name: 5, config: []}\n"))).toEqual([
      "5:24 nodes.a.name name must be text",
      expect.stringMatching(/^5:\d+ nodes.a.config config must be an object$/),
    ]);
    expect(problemsOf(minimal("  a: {type: log, config: {x: .nan}}\n"))).toEqual([
      "5:30 nodes.a.config.x must be a value of JSON",
    ]);
    expect(problemsOf("version: 2\nname: F\ntrigger: {type: nothing}\nnodes: {}\n")).toEqual([
      "1:10 version only documents of version 1 can be read",
      expect.stringMatching(/^3:17 trigger.type unknown trigger type/),
    ]);
    expect(problemsOf("version: 1\n---\nversion: 1\n")).toEqual([expect.stringMatching(/^\d:\d {2}has more than one/)]);
  });

  test("is a typo anywhere in the format, also in a test, which would check nothing", () => {
    const tests = "tests:\n  - name: T\n    expect: {nodes: {a: {outptu: 1}}, outputs: 1}\n    trigers: {}\n";
    expect(problemsOf(`${minimal("  a: {type: log}\n")}settings: {timeoutMS: 5}\n${tests}`)).toEqual([
      "6:12 settings.timeoutMS is not known here",
      "9:26 tests[0].expect.nodes.a.outptu is not known here",
      "9:39 tests[0].expect.outputs is not known here",
      "10:5 tests[0].trigers is not known here",
    ]);
    const list =
      "version: 1\nname: F\ntrigger: {type: manual}\nnodes: [{id: a, type: log, nam: b, config: {any: 1}}]\n";
    expect(problemsOf(list)).toEqual(["4:28 nodes[0].nam is not known here"]);
  });

  test("includes everything that expands a short text into a large one", () => {
    const bomb = `a: &a [x]\n${"bcdefgh".replaceAll(/./g, (key) => `${key}: &${key} [*a, *a, *a]\n`)}`;
    expect(problemsOf(bomb)).toEqual(["1:4  anchors are not supported: write the value where it is used"]);
    expect(problemsOf("a: *b")[0]).toMatch(/^1:4 {2}aliases/);
    expect(problemsOf("a: !!binary b")[0]).toMatch(/^1:4 {2}tags/);
    expect(problemsOf("%YAML 1.1\n---\na: yes")[0]).toMatch(/^1:1 {2}directives/);
    for (const text of ["[", "{", "- ", "? ", "{a: ", "[[], "]) {
      expect(problemsOf(text.repeat(50_000))[0]).toMatch(/is nested too deeply/);
    }
    expect(problemsOf("x".repeat(textLimits.charactersMax + 1))).toEqual(["1:1  has more than 16,777,216 characters"]);
  });

  test("a value is as deep as a request's JSON at most: it could not be changed otherwise", () => {
    const nested = (levels: number) =>
      `version: 1.0.0\nname: x\ntrigger: {type: manual}\nvariables: {a: ${"[".repeat(levels)}${"]".repeat(levels)}}\n`;
    expect(readFlowText(nested(62)).problems).toBeUndefined();
    expect(problemsOf(nested(63))[0]).toMatch(/^4:\d+ variables\.a\S* must not be nested deeper than 64 levels$/);
  });
});
