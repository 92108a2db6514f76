import { expect, test } from "vitest";
import type { Run } from "#lib/executions/run.ts";
import { noMask } from "#lib/executions/secrets/mask-secrets.ts";
import { fakeRun } from "#lib/nodes/http-request/fake-context.ts";
import { askNodesModel } from "./ask-model.ts";

test.each([204, 205])("an answer of %i, which has no body, is one that can't be read", async (status) => {
  const { context } = fakeRun([{ status }]);
  const asked = askNodesModel(
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
  await expect(asked).rejects.toMatchObject({ code: "MODEL_ANSWER" });
});
