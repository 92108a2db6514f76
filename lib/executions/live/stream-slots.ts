import { AppError } from "#lib/errors.ts";
import { singleton } from "#lib/platform/singleton.ts";

const retryAfter = 10;

/**
 * Takes one of the workspace's `streamsMax` slots per process for this kind of `stream`, until the returned function is
 * called. Throws RATE_LIMIT_EXCEEDED (`details.retryAfter`, seconds) if none is free.
 */
export function takeStreamSlot(workspaceId: string, stream: string, streamsMax: number): () => void {
  const places = singleton("stream-places", () => new Map<string, number>());
  const place = `${stream} ${workspaceId}`;
  const taken = places.get(place) ?? 0;
  if (taken >= streamsMax) {
    throw new AppError("RATE_LIMIT_EXCEEDED", `At most ${streamsMax} ${stream} can be followed at once`, {
      details: { retryAfter },
      retryAfterSeconds: retryAfter,
    });
  }
  places.set(place, taken + 1);
  return () => {
    const left = (places.get(place) ?? 1) - 1;
    if (left > 0) places.set(place, left);
    else places.delete(place);
  };
}
