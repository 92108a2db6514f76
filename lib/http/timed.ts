import { metrics } from "#lib/platform/metrics.ts";

type Handle<Call, More extends readonly unknown[], Answer> = (call: Call, ...more: More) => Promise<Answer>;

/** Counts and times what a handler answers, under its route's pattern. Of a stream: until it begins. */
export function timed<
  Call extends { readonly method: string },
  More extends readonly unknown[],
  Answer extends { readonly status: number },
>(route: string, answer: Handle<Call, More, Answer>): Handle<Call, More, Answer> {
  return async (call, ...more) => {
    const begunAt = performance.now();
    const answered = await answer(call, ...more);
    const labels = { method: call.method, route, status: String(answered.status) };
    metrics().requestDuration.observe(labels, (performance.now() - begunAt) / 1_000);
    return answered;
  };
}
