import type { Api } from "#components/api/use-api.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import { ApiError } from "#lib/contract/client.ts";
import { type BulkAction, runsInWords } from "./bulk-actions.ts";

interface BulkOutcome {
  /** How many runs were affected. */
  readonly done: number;
  /** Why it stopped before the end; null if it did not. */
  readonly failure: unknown;
}

/** Performs the action in as many calls as needed. What was done before a call failed is part of the outcome. */
export async function performBulk(
  api: Pick<Api, "call">,
  { name, max }: Pick<BulkAction, "name" | "max">,
  body: object,
): Promise<BulkOutcome> {
  let done = 0;
  for (;;) {
    const outcome = await api.call(name, { body }).catch((failure: unknown) => ({ failure }));
    if ("failure" in outcome) return { done, failure: outcome.failure };
    done += outcome.done;
    if (max !== null || outcome.remaining === 0 || outcome.done === 0) return { done, failure: null };
  }
}

/** "12 runs were deleted." If it stopped before the end, says so and why. */
export function outcomeInWords(action: Pick<BulkAction, "past">, { done, failure }: BulkOutcome): string {
  const changed = done === 0 ? null : `${runsInWords(done)} ${done === 1 ? "was" : "were"} ${action.past}`;
  if (failure === null) return `${changed ?? `No run was ${action.past}`}.`;
  const begin = failure instanceof ApiError ? refused(action, changed) : unanswered(action, changed);
  return `${begin} ${sayFailure(failure)}`;
}

function refused({ past }: Pick<BulkAction, "past">, changed: string | null): string {
  return changed === null ? `No run was ${past}.` : `${changed}; the others were not.`;
}

/** The last call may have had its effect. */
function unanswered({ past }: Pick<BulkAction, "past">, changed: string | null): string {
  return changed === null ? `The runs may have been ${past}.` : `${changed}; others may have been as well.`;
}
