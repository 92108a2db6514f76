import { durationInWords } from "#lib/duration.ts";
import { type NodeContext, NodeFailure } from "../define.ts";
import { delayBeforeRetry, isRetryableStatus, type RetryPolicy, retryAfterMs } from "../retries/retry-policy.ts";
import type { OutboundAnswer, OutboundRequest } from "./outbound-request.ts";

/** Transient failures without an answer. Others would fail again. */
export const passingCodes: ReadonlySet<string> = new Set(["DNS_FAILED", "CONNECT_FAILED", "TIMEOUT", "RESET"]);

const fieldOfCode: Readonly<Record<string, string>> = {
  BAD_URL: "url",
  BLOCKED_ADDRESS: "url",
  DNS_FAILED: "url",
  BAD_HEADER: "headers",
};

type Attempt<Answer = OutboundAnswer> = { readonly answer: Answer } | { readonly failure: NodeFailure };

/**
 * Sends a request, retrying transient failures. After the last retry, returns the answer or throws the error. `name`:
 * the request in logs and failures.
 */
export async function sendWithRetries<Answer extends OutboundAnswer = OutboundAnswer>(
  request: OutboundRequest,
  name: string,
  policy: RetryPolicy,
  context: Pick<NodeContext, "log" | "sleep" | "retried" | "random">,
  send: (request: OutboundRequest) => Promise<Answer>,
): Promise<Answer> {
  for (let retry = 1; ; retry++) {
    const attempt = await attemptOnce(request, name, send);
    if (retry > policy.maxRetries || !maySucceedNext(attempt, policy)) {
      if ("failure" in attempt) throw attempt.failure;
      return attempt.answer;
    }
    const requestedMs = "answer" in attempt ? retryAfterMs(attempt.answer.headers, Date.now()) : undefined;
    const delayMs = delayBeforeRetry(policy, retry, context.random(), requestedMs);
    const reason = "answer" in attempt ? `${name} answered ${attempt.answer.status}` : attempt.failure.message;
    context.log("warning", `${reason}. Retry ${retry} of ${policy.maxRetries} in ${durationInWords(delayMs)}`, {
      ...("answer" in attempt ? { status: attempt.answer.status } : { code: attempt.failure.code }),
      retry,
      delayMs,
    });
    await context.sleep(delayMs);
    context.retried();
  }
}

function maySucceedNext(attempt: Attempt, policy: RetryPolicy): boolean {
  return "answer" in attempt
    ? isRetryableStatus(attempt.answer.status, policy)
    : passingCodes.has(attempt.failure.code);
}

async function attemptOnce<Answer extends OutboundAnswer>(
  request: OutboundRequest,
  name: string,
  send: (request: OutboundRequest) => Promise<Answer>,
): Promise<Attempt<Answer>> {
  try {
    return { answer: await send(request) };
  } catch (error) {
    if (!isOutboundError(error)) throw error;
    const field = fieldOfCode[error.code];
    return {
      failure: new NodeFailure(error.code, `${name} failed: ${error.message}`, {
        cause: error,
        ...(field === undefined ? {} : { field }),
      }),
    };
  }
}

/** Compares the name: nodes know the outbound client only through their context. */
function isOutboundError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && error.name === "OutboundError" && "code" in error && typeof error.code === "string";
}
