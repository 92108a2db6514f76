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
    { id: "replay play", label: isPlaying ? "Pause the replay" : "Play the replay", onClick: toggle },
    { id: "replay back", label: "Step back in the run", onClick: () => move(Math.max(0, count - 1)) },
    { id: "replay forward", label: "Step forward in the run", onClick: () => move(Math.min(most, count + 1)) },
    { id: "replay start", label: "Go to the start of the run", onClick: () => move(0) },
    { id: "replay end", label: "Go to the end of the run", onClick: () => move(most) },
  ];
}
