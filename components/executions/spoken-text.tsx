import { useStore } from "zustand";
import styles from "./agent-steps.module.css";
import { placeOf, spoken } from "./spoken.ts";

interface SpokenTextProps {
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: string | null;
  /** Shown while there is no text. */
  readonly missing: string;
}

/** The streamed text of a node or step in progress. */
export function SpokenText({ runId, nodeId, iteration, missing }: SpokenTextProps) {
  const text = useStore(spoken, (state) =>
    state.runId === runId ? state.texts.get(placeOf(nodeId, iteration)) : undefined,
  );
  return text === undefined ? (
    <p className={styles.note}>{missing}</p>
  ) : (
    <p className={styles.text} role="note" aria-label="The answer so far">
      {text}
    </p>
  );
}
