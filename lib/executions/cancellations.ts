import { singleton } from "#lib/platform/singleton.ts";

/** Told of each run that this process cancelled; must not reject. */
type Listener = (executionId: string) => Promise<void>;

/** Who else than this process does runs, and is to be told of their cancellation. */
export function cancellationListeners(): Set<Listener> {
  return singleton("cancellation-listeners", () => new Set());
}
