import { singleton } from "#lib/platform/singleton.ts";

/** Rung when there is something to do for a worker, so that it need not wait for its next look. */
export function workerBell(): { ring: () => void } {
  return singleton("worker-bell", () => ({ ring: () => {} }));
}
