import { z } from "zod";
import { choiceMeta, durationMeta } from "../config-fields.ts";

/** Statuses after which the same request may succeed later. */
const passing = new Set([408, 425, 429]);

/** The largest share of a delay that jitter adds. */
const jitterMax = 0.25;

/** How a node retries transient failures. */
export const retryPolicy = z.object({
  maxRetries: z.int().min(0).max(10).default(0).meta({
    title: "Retries",
    description: "The number of retries after the first attempt: 0 to 10, 0 by default.",
  }),
  retryDelay: z
    .int()
    .min(0)
    .max(300_000)
    .default(1_000)
    .meta(
      durationMeta({
        title: "Retry delay",
        description: "Milliseconds before the first retry: 0 to 300,000, 1,000 by default.",
      }),
    ),
  backoff: z
    .enum(["exponential", "fixed"])
    .default("exponential")
    .meta(
      choiceMeta(
        {
          title: "Backoff",
          description:
            "`exponential` (the default) doubles the delay with every retry and adds up to a quarter of random jitter, so that many runs do not retry at the same moment; `fixed` waits the same time before each. Neither waits less than the retry delay.",
        },
        { exponential: "Double the delay each time", fixed: "The same delay each time" },
      ),
    ),
  maxDelay: z
    .int()
    .min(0)
    .max(300_000)
    .default(30_000)
    .meta(
      durationMeta({
        title: "Longest delay",
        description:
          "The maximum delay in milliseconds, also for `Retry-After`: 0 to 300,000, 30,000 by default. It never shortens the retry delay.",
      }),
    ),
  retryOn: z.array(z.int().min(100).max(599)).max(500, "must have at most 500 statuses").optional().meta({
    title: "Statuses to retry",
    description: "The statuses to retry after. Default: 408, 425, 429 and everything from 500 up.",
  }),
});

export type RetryPolicy = z.output<typeof retryPolicy>;

export function isRetryableStatus(status: number, policy: RetryPolicy): boolean {
  return policy.retryOn ? policy.retryOn.includes(status) : passing.has(status) || status >= 500;
}

/**
 * Milliseconds before retry number `retry` (from 1): the policy's delay plus jitter, or a longer delay requested by the
 * server. `maxDelay` caps both, because a header must not hold a run for a day, but never shortens `retryDelay`.
 */
export function delayBeforeRetry(
  policy: RetryPolicy,
  retry: number,
  random: number,
  requestedMs: number | undefined,
): number {
  const ownMs =
    policy.backoff === "fixed"
      ? policy.retryDelay
      : Math.round(policy.retryDelay * 2 ** (retry - 1) * (1 + random * jitterMax));
  return Math.max(policy.retryDelay, Math.min(Math.max(ownMs, requestedMs ?? 0), policy.maxDelay));
}

/**
 * Milliseconds to wait by an answer's `Retry-After`, in seconds or as a date. A date is relative to the answer's own
 * `Date`, if any, in case the server's clock is wrong.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers["retry-after"]?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headers.date ?? "");
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
}
