import { AppError } from "#lib/errors.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** Streams that one workspace may have open in one process: each holds a connection, and reads for as long as it lasts. */
export const streamsMax = 100;
const retryAfter = 10;

/**
 * Counts a stream of this workspace until the function that it gives is called. Throws RATE_LIMIT_EXCEEDED
 * (`details.retryAfter`, seconds) when there are `streamsMax` of them.
 */
export function takeStreamPlace(workspaceId: string): () => void {
  const places = singleton("stream-places", () => new Map<string, number>());
  const taken = places.get(workspaceId) ?? 0;
  if (taken >= streamsMax) {
    throw new AppError("RATE_LIMIT_EXCEEDED", `At most ${streamsMax} executions can be followed at once`, {
      details: { retryAfter },
      retryAfterSeconds: retryAfter,
    });
  }
  places.set(workspaceId, taken + 1);
  return () => {
    const left = (places.get(workspaceId) ?? 1) - 1;
    if (left > 0) places.set(workspaceId, left);
    else places.delete(workspaceId);
  };
}
