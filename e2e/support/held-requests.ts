// Flows that call a counting server, and what its requests prove.
import type { Received } from "./counting-server.ts";
import { edge, node } from "./flows.ts";

/** A chain of calls, each with its step and the run's number. */
export function callingFlow(url: string, steps: readonly string[]) {
  const nodes = steps.map((step) =>
    node(step, "http-request", { url: `${url}/${step}/{{ $trigger.body.number }}`, method: "POST", timeout: 60_000 }),
  );
  const edges = steps.slice(1).map((step, index) => edge(steps[index] ?? "", step));
  return [nodes, edges] as const;
}

/** How often each node of each run was called, by its idempotency key. */
export function callsByKey(received: readonly Received[]): Map<string, number> {
  const calls = new Map<string, number>();
  for (const { headers } of received) {
    const key = String(headers["idempotency-key"]);
    calls.set(key, (calls.get(key) ?? 0) + 1);
  }
  return calls;
}
