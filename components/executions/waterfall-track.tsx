import { formatDuration } from "#components/time/duration.ts";
import styles from "./waterfall.module.css";
import type { Part, PartKind } from "./waterfall-bars.ts";

/** What the kinds of time are called. */
export const partWords: Record<PartKind, string> = {
  queue: "In the queue",
  run: "Running",
  wait: "Waiting",
  pause: "Pause before a retry",
};

/** The parts of a bar where they lie; each says what it is and how long when it is pointed at. */
export function WaterfallTrack({ parts }: { readonly parts: readonly Part[] }) {
  const tries = parts.filter(({ kind }) => kind === "run").length;
  return (
    <span className={styles.track}>
      {parts.map(({ kind, left, width, durationMs, attempt }) => (
        <span
          key={`${kind} ${attempt ?? 0}`}
          className={styles.bar}
          data-kind={kind}
          data-missed={(kind === "run" && attempt !== undefined && attempt < tries) || undefined}
          title={`${kind === "run" && attempt !== undefined ? `Try ${attempt}` : partWords[kind]}: ${formatDuration(durationMs)}`}
          style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
        />
      ))}
    </span>
  );
}
