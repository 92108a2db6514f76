// Values as large as a run may hold, in millions of small parts, must not stop the event loop in any node.
import { describe, expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { node } from "#lib/engine/testing/flows.ts";
import { resumeUrl } from "#lib/executions/resume-token.ts";
import { fakeSandbox, stepOf, testRun } from "#lib/executions/testing/run-in-memory.ts";
import { nodeDefinition, planNodeConfig } from "#lib/nodes/registry.ts";
import { beginNodeAlone } from "#lib/nodes/testing/run-alone.ts";
import { resolveConfig } from "#lib/scope/resolve-config.ts";
import { scopeOf } from "#lib/scope/scope.ts";

const small = Array.from({ length: 500_000 }, (_, a) => ({ a }));
const named = Object.fromEntries(small.slice(0, 50_000).map(({ a }) => [`name ${a}`, small.slice(0, 13)]));
const turnMsMax = 100;

describe("a config", () => {
  const run = testRun({ nodes: [node("here", "respond")], trigger: { body: small } });
  const scope = scopeOf(run, stepOf(run, "here"), {}, resumeUrl);

  test.each([
    ["is one of two", ["{{ $trigger.body }}", "{{ $trigger.method }}"]],
    ["is a part of a text", "They are: {{ $trigger.body }}"],
  ])("whose value %s is resolved in turns", async (_, body) => {
    const resolve = () =>
      resolveConfig(planNodeConfig("respond", { body }), scope, fakeSandbox().sandbox, run.stop.signal);
    expect(await longestTurn(resolve)).toBeLessThan(turnMsMax);
  });
});

describe("a node", () => {
  const answer = { status: 200, headers: {}, body: Buffer.from("") };
  const reference = { file: "file_1", name: "a", contentType: "text/plain", size: 1, sha256: "" };
  const files = { withoutSecrets: async (value: unknown) => value, save: async () => reference } as never;
  const groups = Array.from({ length: 50 }, (_, index) => ({ by: small.slice(index * 10_000, (index + 1) * 10_000) }));

  test.each([
    ["http-request", { method: "POST", url: "https://a.example/", body: small }],
    ["http-request", { method: "POST", url: "https://a.example/", body: { data: { small } }, bodyType: "form" }],
    ["crypto", { action: "hash", value: small }],
    ["file", { action: "write", path: "a", content: small }],
    ["batch", { items: groups, by: "by" }],
    ["batch", { items: [small], dedupe: {} }],
    ["batch", { items: [named, ...small.slice(0, 9_000)], dedupe: {} }],
  ])("%s uses it in turns, %#", async (type, config) => {
    const definition = nodeDefinition(type);
    if (definition === undefined) throw new Error(`no type ${type}`);
    const context = {
      request: async () => answer,
      files,
      areNew: async (keys: readonly string[]) => keys.map(() => true),
    };
    expect(await longestTurn(() => beginNodeAlone(definition, config, null, context))).toBeLessThan(turnMsMax);
  });
});
