import { expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import type { Run } from "#lib/executions/run.ts";
import { noMask } from "#lib/executions/secrets/mask-secrets.ts";
import { type FakeAnswer, fakeRun } from "#lib/nodes/http-request/fake-context.ts";
import { askNodesModel } from "./ask-model.ts";

/** Asks a server that gives this answer. */
function askModel(answer: FakeAnswer) {
  const { context } = fakeRun([answer]);
  return askNodesModel(
    { id: "exec_1", mask: noMask } as Run,
    "ask",
    {
      credential: { name: "models", type: "openai", data: { apiKey: "key-1" }, allowedHosts: [] },
      model: "m",
      messages: [{ role: "user", text: "?" }],
      timeoutMs: 1_000,
      retry: { maxRetries: 0, retryDelay: 0, backoff: "fixed", maxDelay: 0 },
    },
    context,
  );
}

test.each([204, 205])("an answer with status %i, which has no body, is reported as unreadable", async (status) => {
  await expect(askModel({ status })).rejects.toMatchObject({ code: "MODEL_ANSWER" });
});

const hello = '"choices":[{"index":0,"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}]';
const names = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(",");

test.each([
  ["too many", 400_000, { code: "RESPONSE_TOO_LARGE" }],
  ["as many as may be", 74_000, { parts: [{ type: "text", text: "hello" }] }],
])("an answer of small values, %s, takes no long turn", async (_, count, outcome) => {
  const answer = { headers: { "content-type": "application/json" }, body: `{${hello},"more":{${names(count)}}}` };
  const ask = () => askModel(answer).catch((error) => error);
  expect(await ask()).toMatchObject(outcome);
  expect(await longestTurn(ask)).toBeLessThan(100);
});
