import { useEffect, useRef } from "react";
import { offerCommands } from "#components/palette/palette-loader.ts";
import type { Replay } from "./use-replay.ts";

/** Offers the replay's steps in the palette of a page that has no other commands of its own. */
export function useReplayCommands(replay: Replay): void {
  const latest = useRef(replay);
  useEffect(() => {
    latest.current = replay;
  }, [replay]);
  useEffect(() => offerCommands(() => [{ group: "Replay", actions: commandsOf(latest.current) }]), []);
}

function commandsOf({ changes, count, isPlaying, move, toggle }: Replay) {
  const most = changes?.length ?? 0;
  if (most === 0) return [];
  return [
    { id: "replay play", label: isPlaying ? "Pause the replay" : "Play the run", onClick: toggle },
    { id: "replay back", label: "A step back in the run", onClick: () => move(Math.max(0, count - 1)) },
    { id: "replay forward", label: "A step forward in the run", onClick: () => move(Math.min(most, count + 1)) },
    { id: "replay start", label: "The run’s first moment", onClick: () => move(0) },
    { id: "replay end", label: "The run as it is", onClick: () => move(most) },
  ];
}
