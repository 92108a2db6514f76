import { metrics } from "#lib/platform/metrics.ts";

type Answer<Call extends { readonly method: string }, More extends readonly unknown[]> = (
  call: Call,
  ...more: More
) => Promise<Response>;

/** Counts and times what a handler answers, under its route's pattern. Of a stream: until it begins. */
export function timed<Call extends { readonly method: string }, More extends readonly unknown[]>(
  route: string,
  answer: Answer<Call, More>,
): Answer<Call, More> {
  return async (call, ...more) => {
    const begunAt = performance.now();
    const answered = await answer(call, ...more);
    const labels = { method: call.method, route, status: String(answered.status) };
    metrics().requestDuration.observe(labels, (performance.now() - begunAt) / 1_000);
    return answered;
  };
}
