// Values as large as a run may hold, in millions of small parts, must not stop the event loop in any node.
import { describe, expect, test, vi } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { node } from "#lib/engine/testing/flows.ts";
import { resumeUrl } from "#lib/executions/resume-token.ts";
import { fakeSandbox, stepOf, testRun } from "#lib/executions/testing/run-in-memory.ts";
import { readProgram } from "#lib/expressions/expressions.ts";
import { encrypt } from "#lib/nodes/crypto/sealed.ts";
import { nodeDefinition, planNodeConfig } from "#lib/nodes/registry.ts";
import { beginNodeAlone } from "#lib/nodes/testing/run-alone.ts";
import { knownValues, resolveConfig } from "#lib/scope/resolve-config.ts";
import { scopeOf } from "#lib/scope/scope.ts";

const small = Array.from({ length: 500_000 }, (_, a) => ({ a }));
const named = Object.fromEntries(small.slice(0, 50_000).map(({ a }) => [`name ${a}`, small.slice(0, 13)]));
const turnMsMax = 100;
/** Characters of JSON written or parsed in one piece. */
const pieceMax = 1_000_000;

/** The longest JSON that is written or parsed in one piece. */
async function largestPiece(work: () => Promise<unknown>): Promise<number> {
  const [stringify, parse] = [vi.spyOn(JSON, "stringify"), vi.spyOn(JSON, "parse")];
  try {
    await work();
    const written = stringify.mock.results.map(({ value }) => String(value).length);
    return Math.max(0, ...written, ...parse.mock.calls.map(([text]) => text.length));
  } finally {
    vi.restoreAllMocks();
  }
}

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
    expect(await largestPiece(resolve)).toBeLessThan(pieceMax);
  });
});

describe("the sandbox's scope", () => {
  const run = testRun({ nodes: [node("here", "respond")], trigger: { body: small } });
  const scope = scopeOf(run, stepOf(run, "here"), {}, resumeUrl);

  test.each([
    ["a run", scope, "$node.output"],
    ["values by name", knownValues("ws_1", { $response: small }), "$response"],
  ])("of %s is written in turns", async (_, known, program) => {
    const write = async () => {
      const [text = ""] = Object.values(await known.json([readProgram(program)]));
      expect(text.length).toBeGreaterThan(5_000_000);
    };
    expect(await largestPiece(write)).toBeLessThan(pieceMax);
  });
});

describe("a node", () => {
  const answer = { status: 200, headers: {}, body: Buffer.from("") };
  const key = Buffer.alloc(32, 1);
  const credential = { type: "secret", name: "key", data: { value: key.toString("hex") }, allowedHosts: [] };
  const reference = { file: "file_1", name: "a", contentType: "text/plain", size: 1, sha256: "" };
  const files = { withoutSecrets: async (value: unknown) => value, save: async () => reference } as never;
  const groups = Array.from({ length: 50 }, (_, index) => ({ by: small.slice(index * 10_000, (index + 1) * 10_000) }));

  test.each([
    ["http-request", { method: "POST", url: "https://a.example/", body: small }],
    ["http-request", { method: "POST", url: "https://a.example/", body: { data: { small } }, bodyType: "form" }],
    ["crypto", { action: "hash", value: small }],
    ["file", { action: "write", path: "a", content: small }],
    ["sql", { credential: "key", query: "SELECT :small", parameters: { small } }],
    ["stop", { message: small }],
    ["crypto", { action: "encrypt", value: small, credential: "key" }],
    ["crypto", { action: "decrypt", value: encrypt(key, Buffer.from(JSON.stringify(small)), true), credential: "key" }],
    ["crypto", { action: "jwt-sign", value: { small }, credential: "key" }],
    ["batch", { items: groups, by: "by" }],
    ["batch", { items: [small], dedupe: {} }],
    ["batch", { items: [named, ...small.slice(0, 9_000)], dedupe: {} }],
  ])("%s uses it in turns, %#", async (type, config) => {
    const definition = nodeDefinition(type);
    if (definition === undefined) throw new Error(`no type ${type}`);
    const context = {
      request: async () => answer,
      files,
      credential: async () => credential as never,
      sql: async () => ({ rows: [], rowCount: 0 }),
      areNew: async (keys: readonly string[]) => keys.map(() => true),
    };
    const begin = () => beginNodeAlone(definition, config, null, context);
    expect(await longestTurn(begin)).toBeLessThan(turnMsMax);
    if (type !== "batch") expect(await largestPiece(begin)).toBeLessThan(pieceMax);
  });
});
