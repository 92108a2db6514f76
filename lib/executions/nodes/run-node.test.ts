import { describe, expect, test } from "vitest";
import type { JsonObject } from "#lib/engine/json.ts";
import type { Outcome } from "#lib/engine/outcome.ts";
import { node } from "#lib/engine/testing/flows.ts";
import { StopReason } from "#lib/executions/run.ts";
import { createMask } from "#lib/executions/secrets/mask-secrets.ts";
import { fakeSandbox, stepOf, testRun } from "#lib/executions/testing/run-in-memory.ts";
import { OutboundError } from "#lib/platform/outbound/outbound-error.ts";
import type { Outside } from "./node-context.ts";
import { runNode } from "./run-node.ts";

function prepare(type: string, config: JsonObject, send: Outside["outbound"]["send"] = unreachable) {
  const run = testRun({ nodes: [node("here", type, config)], trigger: { body: { a: 1, key: "hunter2hunter2" } } });
  const { sandbox, tasks } = fakeSandbox({ "return /a/.test($trigger.body.key)": false });
  const outside = { sandbox, outbound: { send } } as Outside;
  return { run, tasks, perform: () => runNode(run, stepOf(run, "here"), outside) as Promise<Outcome> };
}

const unreachable = () => Promise.reject(new Error("not needed here"));
const broken = (code: string) =>
  new OutboundError("CONNECT_FAILED", "Nobody answers", { cause: Object.assign(new Error("away"), { code }) });

describe("a disabled node", () => {
  test.each([
    ["http-request", { url: "http://example.com" }],
    ["http-request", {}],
    ["no-such-type", {}],
    ["if-else", { condition: "$trigger.body.a > 0" }],
    ["loop", { items: "{{ [1] }}", body: { nodes: [] } }],
    ["delay", { duration: 1_000 }],
    ["stop", { error: "no" }],
  ])("of type %s passes on what came to it, whatever its config is", async (type, config) => {
    const run = testRun({ nodes: [{ ...node("here", type, config), disabled: true }], trigger: { body: { a: 1 } } });
    const outcome = await runNode(run, stepOf(run, "here"), {} as Outside);
    expect(outcome).toEqual({ status: "completed", output: { value: { a: 1 }, json: '{"a":1}' }, handle: null });
    expect(run.journal.take().logs).toMatchObject([{ level: "info", message: expect.stringContaining("disabled") }]);
  });

  test("has secrets hidden in what it passes on", async () => {
    const run = testRun({ nodes: [{ ...node("here", "log"), disabled: true }], trigger: { body: "hunter2hunter2" } });
    run.mask = createMask(["hunter2hunter2"]);
    expect(await runNode(run, stepOf(run, "here"), {} as Outside)).toMatchObject({ output: { value: "•••" } });
  });
});

describe("the handle of a disabled node", () => {
  test("is its type's plain handle, which an edge may name", async () => {
    const run = testRun({ nodes: [{ ...node("here", "wait"), disabled: true }], trigger: { body: { a: 1 } } });
    const outcome = await runNode(run, stepOf(run, "here"), {} as Outside);
    expect(outcome).toMatchObject({ status: "completed", output: { value: { a: 1 } }, handle: "resumed" });
  });
});

describe("an outcome", () => {
  test("holds what the node returned for its resolved config", async () => {
    const { perform } = prepare("respond", { status: 201, body: { a: "{{ $trigger.body.a }}" } });
    expect(await perform()).toEqual({
      status: "completed",
      output: { value: { a: 1 }, json: '{"a":1}' },
      handle: null,
      answer: { status: 201, headers: {} },
    });
  });

  test("of a request masks a secret in the host's name, in the error and in the log", async () => {
    const config = { url: "http://{{ $trigger.body.name }}.example.com/a", retry: { maxRetries: 1, retryDelay: 1 } };
    const run = testRun({ nodes: [node("here", "http-request", config)], trigger: { body: { name: "ShopKey" } } });
    const send = (request: { url: string }) =>
      Promise.reject(new OutboundError("DNS_FAILED", `No such host (${new URL(request.url).host})`));
    run.mask = createMask(["ShopKey"]);
    const outside = { sandbox: fakeSandbox({}).sandbox, outbound: { send } } as unknown as Outside;
    const outcome = await runNode(run, stepOf(run, "here"), outside);
    expect(outcome).toMatchObject({ status: "failed", error: { code: "DNS_FAILED" } });
    const stored = JSON.stringify([outcome, run.journal.take()]);
    expect(stored).toContain("•••.example.com");
    expect(stored.toLowerCase()).not.toContain("shopkey.");
  });

  test("masks secrets in the output, the answer's headers and the stored config", async () => {
    const text = "key {{ $trigger.body.key }}";
    const { run, perform } = prepare("respond", { body: text, headers: { "x-key": text } });
    run.mask = createMask(["hunter2hunter2"]);
    run.journal.begin(stepOf(run, "here"));
    const outcome = await perform();
    run.journal.end("here", outcome);
    expect(JSON.stringify([outcome, run.journal.take()])).not.toContain("hunter2");
    expect(outcome).toMatchObject({ output: { value: "key •••" }, answer: { headers: { "x-key": "key •••" } } });
  });

  test("of a config that a template made invalid is a failure that names the field and shows the value", async () => {
    const { run, perform } = prepare("respond", { status: "{{ $trigger.body.a }}" });
    expect(await perform()).toMatchObject({
      status: "failed",
      error: { code: "INVALID_CONFIG", field: "status", message: "Status must be from 200 to 599 (found 1)" },
    });
    expect(run.journal.take().logs).toMatchObject([{ level: "error", nodeId: "here" }]);
  });

  test("of an unknown node type is a failure", async () => {
    expect(await prepare("fax", {}).perform()).toMatchObject({ error: { code: "UNKNOWN_NODE_TYPE" } });
  });

  test("of a failing expression includes its position", async () => {
    const { perform } = prepare("respond", { body: "{{ $trigger.body.no.deeper }}" });
    expect(await perform()).toMatchObject({
      status: "failed",
      error: { code: "EXPRESSION_FAILED", expression: "$trigger.body.no.deeper", position: 17, field: "body" },
    });
  });
});

describe("code", () => {
  test("always goes to the sandbox", async () => {
    const pattern = prepare("code", { code: "return /a/.test($trigger.body.key)" });
    expect(await pattern.perform()).toMatchObject({ status: "completed", output: { value: false } });
    const requests = [
      pattern,
      prepare("code", { code: "return $trigger.body.a" }),
      prepare("code", { code: "return $trigger.body.no.deeper" }),
    ];
    for (const { perform } of requests.slice(1)) await perform();
    expect(requests.map(({ tasks }) => tasks.length)).toEqual([1, 1, 1]);
  });
});

describe("a failure", () => {
  test('becomes an output where the node has onError "continue"', async () => {
    const { perform } = prepare("respond", { body: "{{ $vars.a.b }}", onError: "continue" });
    const outcome = await perform();
    expect(outcome).toMatchObject({
      status: "completed",
      handle: null,
      output: { value: { error: { code: "EXPRESSION_FAILED", message: expect.any(String) } } },
    });
  });

  test("with a message of megabytes keeps its beginning: lists of runs have it", async () => {
    const { perform } = prepare("stop", { status: "failed", message: "x".repeat(5_000_000) });
    const outcome = await perform();
    expect(outcome).toMatchObject({
      status: "failed",
      error: { code: "STOPPED", message: expect.stringMatching(/^x{10000}…$/) },
    });
  });

  test.each(["ECONNREFUSED", "ETIMEDOUT", "ENOTFOUND", "EPIPE"])(
    "to reach another host (%s) is the node's, not the database's",
    async (code) => {
      const { perform } = prepare("http-request", { url: "https://api.test/" }, () => Promise.reject(broken(code)));
      expect(await perform()).toMatchObject({ status: "failed", error: { code: "CONNECT_FAILED" } });
    },
  );

  test("caused by our own bug reveals nothing internal", async () => {
    const { perform } = prepare("http-request", { url: "https://api.test/" }, () =>
      Promise.reject(new TypeError("x is undefined at secret/place.ts")),
    );
    const outcome = await perform();
    expect(outcome).toMatchObject({ status: "failed", error: { code: "INTERNAL_ERROR" } });
    expect(JSON.stringify(outcome)).not.toContain("secret");
  });

  test("of a stopped run is a cancellation", async () => {
    const { run, perform } = prepare("http-request", { url: "https://api.test/" }, () => {
      run.stop.abort(new StopReason("cancelled"));
      return Promise.reject(run.stop.signal.reason);
    });
    expect(await perform()).toEqual({ status: "cancelled" });
    expect(run.journal.take().logs).toEqual([]);
  });

  test("to reach our own database is rethrown: the run waits, or another process continues it", async () => {
    const away = Object.assign(new Error("away"), { code: "57P01" });
    const { perform } = prepare("http-request", { url: "https://api.test/" }, () => Promise.reject(away));
    await expect(perform()).rejects.toBe(away);
  });
});

describe("a deeply nested output", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}1${"]".repeat(levels)}`;
  const answering = (body: string) =>
    prepare("http-request", { url: "https://example.com" }, async () => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: Buffer.from(body),
    }));

  test("fails its node beyond the depth that can be serialized, and says why", async () => {
    for (const levels of [600, 4_400, 100_000]) {
      expect(await answering(nested(levels)).perform()).toMatchObject({
        status: "failed",
        error: { code: "OUTPUT_TOO_DEEP", message: "The output is nested deeper than 500 levels" },
      });
    }
  });

  test("is refused in a config too, before anything is done with it", async () => {
    const { run, perform } = prepare("respond", { body: { wrapped: "{{ $trigger.body }}" } });
    Object.assign(run.trigger.value, { body: JSON.parse(nested(4_400)) });
    expect(await perform()).toMatchObject({ status: "failed", error: { code: "CONFIG_TOO_DEEP" } });
  });

  test("is accepted up to the limit", async () => {
    expect(await answering(nested(490)).perform()).toMatchObject({ status: "completed" });
  });
});

describe("an output with many strings", () => {
  test("is masked without blocking the event loop", async () => {
    const items = Array.from({ length: 60_000 }, (_, index) => `item ${index}`);
    const { run, perform } = prepare("respond", { body: "{{ $trigger.body }}" });
    Object.assign(run.trigger.value, { body: [...items, "hunter2hunter2"] });
    run.mask = createMask(["hunter2hunter2"]);
    let turns = 0;
    const others = setInterval(() => {
      turns += 1;
    }, 0);
    const outcome = await perform();
    clearInterval(others);
    expect(turns).toBeGreaterThan(1);
    expect(outcome).toMatchObject({ status: "completed" });
    expect(outcome.status === "completed" && outcome.output.json).toBe(JSON.stringify([...items, "•••"]));
  });
});
