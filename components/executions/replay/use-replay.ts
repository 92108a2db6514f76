"use client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { runQueries } from "#components/executions/run-queries.ts";
import { isLive } from "#components/status/run-status.tsx";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import type { StateChange } from "#lib/contract/executions/timeline.ts";
import { changeKey, countAt, type Moment, momentOf, playTimes } from "./moments.ts";

export const speeds = [0.5, 1, 2, 4] as const;
export type Speed = (typeof speeds)[number];

/** A run that can be shown at any moment. */
export interface Replay {
  /** Null until they are loaded. */
  readonly changes: readonly StateChange[] | null;
  readonly error: Error | null;
  /** The number of changes shown. */
  readonly count: number;
  /** The shown moment; null for the current state, even of a run in progress. */
  readonly moment: Moment | null;
  /** The time of that moment, in Unix milliseconds; null for the current state. */
  readonly atMs: number | null;
  readonly isPlaying: boolean;
  readonly speed: Speed;
  /** Shows the run after this many changes; after all of them, its current state. */
  readonly move: (count: number) => void;
  /** Shows the run at a time, in Unix milliseconds. */
  readonly seek: (ms: number) => void;
  /** Plays from here, or from the start if at the end; or pauses. */
  readonly toggle: () => void;
  readonly setSpeed: (speed: Speed) => void;
  readonly reload: () => void;
}

interface Replayed extends Pick<ShownExecution, "id" | "status" | "startedAt"> {
  readonly nodes: readonly ShownNodeExecution[];
}

/**
 * The key of the change before the cursor. While the run is in progress, changes may be inserted earlier in the list.
 */
type Cursor = string | "start" | null;

/** Replays a run. Follows its current state until the user moves to another moment. */
export function useReplay(run: Replayed): Replay {
  const live = isLive(run.status);
  const read = useQuery(runQueries.timeline(useApi(), run.id, live));
  const changes = read.data ?? null;
  const [cursor, setCursor] = useState<Cursor>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(1);
  const count = useMemo(() => countUpTo(changes ?? [], cursor), [changes, cursor]);
  const move = (to: number) => setCursor(changes === null ? null : cursorAfter(changes, to));
  const shownCount = useRef(count);
  useEffect(() => {
    shownCount.current = count;
  }, [count]);
  useEffect(() => {
    if (!isPlaying || changes === null) return undefined;
    const times = playTimes(changes);
    const begun = performance.now() - (times[shownCount.current] ?? 0) / speed;
    let frame = requestAnimationFrame(function show(now) {
      const next = times.findLastIndex((time) => time <= (now - begun) * speed);
      if (next > shownCount.current) setCursor(cursorAfter(changes, next));
      if (next >= changes.length) setIsPlaying(false);
      else frame = requestAnimationFrame(show);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, changes, speed]);
  const moment = useMemo(
    () => (changes === null || cursor === null ? null : momentOf(run.nodes, changes, count)),
    [run.nodes, changes, cursor, count],
  );
  return {
    changes,
    error: read.error,
    count,
    moment,
    atMs: moment === null ? null : Date.parse(moment.at ?? run.startedAt),
    isPlaying,
    speed,
    move: (to) => {
      setIsPlaying(false);
      move(to);
    },
    seek: (ms) => {
      setIsPlaying(false);
      move(countAt(changes ?? [], ms));
    },
    toggle: () => {
      if (!isPlaying && cursor === null) move(0);
      setIsPlaying(!isPlaying);
    },
    setSpeed,
    reload: () => void read.refetch(),
  };
}

function countUpTo(changes: readonly StateChange[], cursor: Cursor): number {
  if (cursor === null) return changes.length;
  return cursor === "start" ? 0 : changes.findIndex((change) => changeKey(change) === cursor) + 1;
}

function cursorAfter(changes: readonly StateChange[], count: number): Cursor {
  if (count >= changes.length) return null;
  const last = changes[count - 1];
  return last === undefined ? "start" : changeKey(last);
}
