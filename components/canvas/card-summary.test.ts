import { describe, expect, test } from "vitest";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { nodeManifests } from "#lib/nodes/registry.ts";
import { summarizeNode, summarizeTrigger } from "./card-summary.ts";

const types = nodeManifests() as readonly NodeType[];

function summaryOf(type: string, config: JsonObject): string {
  const node = { id: "n", type, name: "N", position: { x: 0, y: 0 }, config };
  return summarizeNode(
    node,
    types.find((known) => known.type === type),
  );
}

test.each([
  [{ cron: "0 9 * * 1-5", timezone: "Europe/Zurich" }, "On workdays at 09:00 · Europe/Zurich"],
  [{ cron: "0 0 12 * * *" }, "0 0 12 * * *"],
  [{}, "Not set up yet"],
])("a schedule is summarized in words, unless only cron can say it: %j", (config, words) => {
  expect(summarizeTrigger({ type: "schedule", config })).toBe(words);
});

test("a form without a title is summarized by the number of its fields", () => {
  const form = (...fields: object[]) => summarizeTrigger({ type: "form", config: { fields } });
  expect([form(), form({}), form({}, {})]).toEqual(["Not set up yet", "1 field", "2 fields"]);
});

describe("the line under a node's name", () => {
  test.each<[string, JsonObject, string]>([
    ["http-request", { method: "POST", url: "https://api.example.com/orders" }, "POST api.example.com/orders"],
    ["http-request", { url: "{{ $vars.url }}" }, "GET {{ $vars.url }}"],
    ["code", { code: "const a = 1;\nreturn a;" }, "const a = 1;"],
    ["code", {}, "Not set up yet"],
    ["if-else", { condition: "{{ $trigger.body.total > 100 }}" }, "when $trigger.body.total > 100"],
    ["if-else", { condition: "{{ $vars.a }} > {{ $vars.b }}" }, "when {{ $vars.a }} > {{ $vars.b }}"],
    ["if-else", {}, "Not set up yet"],
    ["if-else", { condition: true }, "when true"],
    ["switch", { value: "{{ $trigger.body.country }}" }, "on $trigger.body.country"],
    ["switch", { value: "" }, "Not set up yet"],
    ["transform", { transform: "{ a: 1 }" }, "{ a: 1 }"],
    ["transform", { transform: { a: [1] } }, '{"a":[1]}'],
    ["delay", { ms: 3_600_000 }, "for 1 h"],
    ["delay", { ms: 90_000 }, "for 90 s"],
    ["delay", { ms: 0 }, "for 0 ms"],
    ["delay", { ms: 172_800_000 }, "for 2 d"],
    ["delay", { ms: "{{ $vars.ms }}" }, "for $vars.ms"],
    ["delay", { until: "{{ $trigger.body.sendAt }}" }, "until $trigger.body.sendAt"],
    ["delay", {}, "Delay"],
    ["log", { message: "{{ $vars.text }}", level: "error" }, "{{ $vars.text }}"],
    ["log", { level: "warning" }, "warning: the input"],
    ["log", {}, "info: the input"],
    ["loop", { items: "$trigger.body.orders", concurrency: 5 }, "for each of $trigger.body.orders · 5 at once"],
    ["loop", {}, "for each of the input"],
    ["loop", { body: { nodes: [{ id: "a" }] } }, "1 node for each of the input"],
    ["loop", { items: "$item", body: { nodes: [{ id: "a" }, { id: "b" }] } }, "2 nodes for each of $item"],
    ["loop", { body: { nodes: [] } }, "for each of the input"],
    ["sub-flow", { flowId: "flow_1" }, "run flow_1"],
    ["sub-flow", { flowId: "flow_1", wait: false }, "start flow_1"],
    ["sub-flow", { flowId: "flow_1", wait: true }, "run flow_1"],
    ["sub-flow", {}, "Not set up yet"],
    ["wait", {}, "for a call to its URL"],
    ["wait", { timeoutMs: 60_000 }, "for a call to its URL, up to 1 min"],
    ["wait", { form: {} }, "for answers to a form"],
    ["wait", { form: { title: "Pay?" }, timeoutMs: 86_400_000 }, "for Pay?, up to 1 d"],
    ["wait", { form: { fields: [] }, timeoutMs: "{{ $vars.ms }}" }, "for answers to a form, up to $vars.ms"],
    ["merge", {}, "into an object"],
    ["merge", { mode: "array" }, "into an array"],
    ["merge", { mode: "first" }, "the first available"],
    ["merge", { mode: "{{ $vars.mode }}" }, "into an object"],
    ["stop", {}, "completed"],
    ["stop", { status: "failed", message: "No items\nat all" }, "failed · No items"],
    ["respond", {}, "200"],
    ["respond", { status: 422, body: { error: "none" } }, '422 · {"error":"none"}'],
    ["respond", { body: "{{ $node.output }}" }, "200 · {{ $node.output }}"],
    ["nobody-knows", { a: 1 }, "nobody-knows"],
  ])("of %s with %j", (type, config, line) => {
    expect(summaryOf(type, config)).toBe(line);
  });

  test("is short, however long the config is", () => {
    expect(summaryOf("log", { message: "x".repeat(10_000) })).toBe("x".repeat(200));
  });
});
