import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { nodeManifests } from "#lib/nodes/registry.ts";
import { flowTextSchema } from "./flow-text-schema.ts";

const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(flowTextSchema(nodeManifests()));

function problemsOf(text: string): string[] {
  validate(parse(text));
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

const flow = (node: string) => `version: 1.0.0\nname: F\ntrigger: {type: manual}\nnodes: {a: ${node}}\n`;

test("the docs' example is valid against the schema that its first line names", () => {
  const [, shown = ""] = /```yaml\n([\s\S]*?)```/.exec(readFileSync("docs/flows-as-code.md", "utf8")) ?? [];
  expect(problemsOf(shown)).toEqual([]);
});

test("a node's settings are those of its type, or templates", () => {
  expect(problemsOf(flow("{type: http-request, config: {url: 'https://example.com', timeout: 5}}"))).toEqual([]);
  expect(problemsOf(flow("{type: http-request, config: {url: 'https://example.com', timeout: '{{ 5 }}'}}"))).toEqual(
    [],
  );
  expect(problemsOf(flow("{type: http-request, config: {url: 'https://example.com', timeout: soon}}"))).toContain(
    "/nodes/a/config/timeout anyOf",
  );
  expect(
    problemsOf(
      flow("{type: loop, config: {items: '[1]'}, body: {next: b, nodes: {b: {type: log, config: {message: m}}}}}"),
    ),
  ).toEqual([]);
});

test("typos in the format itself are reported", () => {
  expect(problemsOf(flow("{typ: log}"))).toContain("/nodes/a required");
  expect(problemsOf(flow("{type: log, config: {message: m}, nxt: b}"))).toContain("/nodes/a additionalProperties");
  expect(problemsOf(flow("{type: nothing}"))).toContain("/nodes/a/type anyOf");
  expect(problemsOf(flow("{type: log, config: {message: m}, next: [{too: b}]}"))).toContain("/nodes/a/next/0 required");
  const rest =
    "tests: [{name: T, trigger: {headers: {any: x}}, recordings: {any: {output: 1}}, expect: {outputs: 1}}]\n";
  expect(problemsOf(`${flow("{type: log}")}${rest}settings: {input: {any: 1}, timeoutMS: 5}\n`)).toEqual([
    "/settings additionalProperties",
  ]);
  expect(problemsOf(`${flow("{type: log}")}${rest}`)).toEqual(["/tests/0/expect additionalProperties"]);
});
