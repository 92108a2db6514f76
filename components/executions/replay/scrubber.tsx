"use client";
import { ActionIcon, NativeSelect, Tooltip } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import {
  type Icon,
  IconChevronLeft,
  IconChevronRight,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipForward,
} from "@tabler/icons-react";
import { describeReasons, lineOf } from "#components/executions/why/describe-reasons.ts";
import { explainFailure } from "#components/page/failure-notice.tsx";
import { formatDuration } from "#components/time/duration.ts";
import { useExactTime } from "#components/time/relative-time.tsx";
import type { StateChange } from "#lib/contract/executions/timeline.ts";
import styles from "./scrubber.module.css";
import { type Replay, speeds } from "./use-replay.ts";

const keys = { back: ",", forward: ".", toggle: "P" } as const;

interface ScrubberProps {
  readonly replay: Replay;
  readonly startedAt: string;
  /** The run is in progress: its end is not the last moment yet. */
  readonly live: boolean;
  readonly nameOf: (nodeId: string) => string;
}

/** Controls for a run's moments: step by step, by slider, or playback. */
export function Scrubber({ replay, startedAt, live, nameOf }: ScrubberProps) {
  const { changes, error, count, moment, isPlaying, move, toggle } = replay;
  const most = changes?.length ?? 0;
  const back = () => move(Math.max(0, count - 1));
  const forward = () => move(Math.min(most, count + 1));
  useHotkeys([
    [keys.back, back],
    [keys.forward, forward],
    [keys.toggle, toggle],
  ]);
  const words = useWords(replay, startedAt, live, nameOf);
  if (error !== null && changes === null) {
    return (
      <p className={styles.failed}>
        The timeline could not be loaded. {explainFailure(error).why}{" "}
        <button type="button" onClick={replay.reload}>
          Try again
        </button>
      </p>
    );
  }
  // A deleted version has no moments.
  if (changes !== null && most === 0 && !live) return null;
  const isIdle = most === 0;
  return (
    <section className={styles.scrubber} aria-label="Replay" aria-busy={changes === null || undefined}>
      <Tool label="Step back" shortcut={keys.back} icon={IconChevronLeft} disabled={count === 0} onClick={back} />
      <Tool
        label={isPlaying ? "Pause" : "Play"}
        shortcut={keys.toggle}
        icon={isPlaying ? IconPlayerPause : IconPlayerPlay}
        disabled={isIdle}
        onClick={toggle}
      />
      <Tool
        label="Step forward"
        shortcut={keys.forward}
        icon={IconChevronRight}
        disabled={moment === null}
        onClick={forward}
      />
      <input
        type="range"
        className={styles.slider}
        min={0}
        max={most}
        step={1}
        value={count}
        disabled={isIdle}
        aria-label="Position in the run"
        aria-valuetext={`${count} of ${most}: ${words.time}, ${words.what}`}
        onChange={(event) => move(Number(event.currentTarget.value))}
      />
      <NativeSelect
        className={styles.speed ?? ""}
        aria-label="Speed"
        value={String(replay.speed)}
        data={speeds.map((speed) => ({ value: String(speed), label: `${speed}×` }))}
        onChange={({ currentTarget: { value } }) =>
          replay.setSpeed(speeds.find((speed) => String(speed) === value) ?? 1)
        }
      />
      <Tool
        label={live ? "Follow the run" : "Go to the end"}
        icon={IconPlayerSkipForward}
        disabled={moment === null}
        onClick={() => move(most)}
      />
      <p className={styles.words}>
        <span className={styles.time}>{words.time}</span>
        <span className={styles.what} title={words.what}>
          {words.what}
        </span>
      </p>
    </section>
  );
}

interface ToolProps {
  readonly label: string;
  readonly shortcut?: string;
  readonly icon: Icon;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

function Tool({ label, shortcut, icon: ToolIcon, disabled, onClick }: ToolProps) {
  return (
    <Tooltip label={shortcut === undefined ? label : `${label} (${shortcut})`} position="top">
      <ActionIcon
        variant="subtle"
        size={28}
        className={styles.tool}
        aria-label={label}
        aria-disabled={disabled}
        {...(disabled && { "data-disabled": true })}
        onClick={disabled ? undefined : onClick}
      >
        <ToolIcon size={16} aria-hidden="true" />
      </ActionIcon>
    </Tooltip>
  );
}

const verbs: Readonly<Record<StateChange["to"], string>> = {
  pending: "is pending",
  running: "started",
  completed: "completed",
  failed: "failed",
  skipped: "is skipped",
  cancelled: "was cancelled",
};

/** Describes a moment: its time in the run, what had just happened, and why. */
function useWords(
  { changes, count, moment }: Replay,
  startedAt: string,
  live: boolean,
  nameOf: ScrubberProps["nameOf"],
) {
  const { format } = useExactTime();
  const change = changes?.[count - 1];
  if (changes === null) return { time: "", what: "Loading the timeline" };
  if (moment === null) return { time: live ? "Live" : "End", what: live ? "Following the run" : "The run as it ended" };
  if (change === undefined) return { time: formatDuration(0), what: "The run started" };
  const { nodeId, iteration, to, attempt, at } = change;
  const status = new Map(moment.nodes.map((node) => [node.nodeId, node.status]));
  const about = { statusOf: (id: string) => (iteration === null ? status.get(id) : undefined), formatTime: format };
  const [reason] = describeReasons(change.because.slice(0, 1), about);
  const item = iteration === null ? "" : `, item ${iteration},`;
  const tries = attempt > 1 ? ` after ${attempt} attempts` : "";
  const why = reason === undefined || reason.nodeId === nodeId ? "" : ` · ${lineOf(reason, nameOf)}`;
  return {
    time: formatDuration(Math.max(0, Date.parse(at) - Date.parse(startedAt))),
    what: `${nameOf(nodeId)}${item} ${verbs[to]}${tries}${why}`,
  };
}
