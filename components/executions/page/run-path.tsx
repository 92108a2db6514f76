"use client";

import { lazy, Suspense, useEffect, useRef } from "react";
import { Scrubber } from "#components/executions/replay/scrubber.tsx";
import { type Replay, useReplay } from "#components/executions/replay/use-replay.ts";
import { offerCommands } from "#components/palette/palette-loader.ts";
import { isLive } from "#components/status/run-status.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { PictureSkeleton } from "./run-skeleton.tsx";
import styles from "./run-view.module.css";
import { Waterfall } from "./waterfall.tsx";

// Includes everything that parses a flow; the rest of the page is shown before it.
const RunPicture = lazy(async () => ({ default: (await import("./run-picture.tsx")).RunPicture }));

interface RunPathProps {
  readonly run: ShownExecution;
  readonly nameOf: (nodeId: string) => string;
  readonly selectedId: string | null;
  readonly onSelect: (id: string | null) => void;
  /** Null if nothing can be retried. */
  readonly onRetry: ((nodeId: string) => void) | null;
}

/** The run's path on the flow and over time, at the moment shown. */
export default function RunPath({ run, nameOf, selectedId, onSelect, onRetry }: RunPathProps) {
  const replay = useReplay(run);
  const { moment, atMs, seek } = replay;
  useReplayCommands(replay);
  const live = isLive(run.status);
  return (
    <>
      <Suspense fallback={<PictureSkeleton />}>
        <RunPicture run={run} moment={moment} selectedId={selectedId} onSelect={onSelect} onRetry={onRetry} />
      </Suspense>
      <Scrubber replay={replay} startedAt={run.startedAt} live={live} nameOf={nameOf} />
      <section className={styles.section} aria-labelledby="nodes">
        <h2 id="nodes" className={styles.heading}>
          Nodes
        </h2>
        <Waterfall
          run={run}
          live={live}
          moment={moment === null || atMs === null ? null : { nodes: moment.nodes, atMs }}
          onSeek={seek}
          selectedId={selectedId}
          onSelect={onSelect}
        />
      </section>
    </>
  );
}

/** Offers the replay's steps in the palette of a page that has no other commands of its own. */
function useReplayCommands(replay: Replay): void {
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
