import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import { triggerMethods } from "#lib/engine/flow.ts";
import { answersWith, errorEnvelope } from "./errors.ts";

const id = z.string().meta({
  description: "The trigger's id, which begins with `hook_`: a capability, kept secret",
  examples: ["hook_2vq6n0xk8m4c7r1t9w3y5z8b6d"],
});

const runStarted = z.object({
  executionId: z.string().describe("The execution's id"),
  status: z.literal("running").describe("Its status"),
});

const executionId = {
  "X-Execution-Id": {
    schema: { type: "string" as const },
    description: "The run's id",
    example: "exec_01kad7c9p2f6atqxv3m0wz8y5n",
  },
};

/** The error answer for a run without an output: its codes, and one of them as an example. */
function runError(codes: readonly [string, ...string[]], code: string, message: string) {
  const details = { executionId: "exec_01kad7c9p2f6atqxv3m0wz8y5n" };
  return {
    "application/json": {
      schema: errorEnvelope(codes),
      example: { success: false, error: { code, message, details } },
    },
  };
}

const skippedExample = 'Skipped: 1 run of the flow was in progress, and its concurrency policy is "skip"';

/**
 * Trigger URLs. They are not part of the contract, because the flow decides what they take and answer. They share their
 * path with webhook subscriptions; the id's prefix distinguishes them.
 */
export const callTrigger: ZodOpenApiOperationObject = {
  operationId: "callTrigger",
  tags: ["Trigger URLs"],
  summary: "Call a trigger URL",
  description: `Starts a flow with data of your own. The URL is generated with the flow (\`trigger.config.url\`) and takes
the method that the trigger is set to (${triggerMethods.join(", ")}); here POST, the usual one.

JSON, forms and text are read by their content type, and other bytes arrive as base64; the flow sees them as
\`$trigger.body\`, beside \`$trigger.headers\` and \`$trigger.query\`. The answer is the run's output, unless a \`respond\`
node makes another. No API key is needed: the trigger has an authentication of its own (\`none\`, \`basic\`, \`header\`,
\`bearer\`, \`hmac\`). CORS is open, and there is no quota.`,
  security: [],
  requestParams: {
    path: z.object({ id }),
    header: z.object({
      Prefer: z.string().optional().describe("`respond-async`: answer at once with 202, while the run continues"),
    }),
  },
  requestBody: {
    required: false,
    content: {
      "application/json": { schema: z.unknown(), example: { id: "o-1", items: [{ price: 10, quantity: 2 }] } },
    },
  },
  responses: {
    200: {
      description: "The run's output; a `respond` node may choose another status, headers and type",
      headers: executionId,
      content: { "application/json": { schema: z.unknown(), example: { orderId: "o-1", total: 20 } } },
    },
    202: {
      description: "The run continues in the background: as requested, or because it takes longer than `SYNC_WAIT_MS`",
      headers: executionId,
      content: {
        "application/json": {
          schema: runStarted,
          example: { executionId: "exec_01kad7c9p2f6atqxv3m0wz8y5n", status: "running" },
        },
      },
    },
    ...answersWith([400, 401, 404, 405, 413, 503]),
    409: {
      description:
        "As many runs as the flow's `settings.concurrency` allows were in progress: this one was skipped, or cancelled for a newer one. It is recorded as `cancelled`",
      headers: executionId,
      content: runError(["CONCURRENCY_LIMIT"], "CONCURRENCY_LIMIT", skippedExample),
    },
    500: {
      description: "The run failed, timed out or was cancelled",
      headers: executionId,
      content: runError(["EXECUTION_FAILED", "INTERNAL_ERROR"], "EXECUTION_FAILED", "The flow failed: no stock"),
    },
  },
};
