import { useStore } from "zustand";
import styles from "./agent-steps.module.css";
import { streamedTexts, streamKey } from "./streamed-texts.ts";

interface StreamedTextProps {
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: string | null;
  /** Shown while there is no text. */
  readonly missing: string;
}

/** The streamed text of a node or step in progress. */
export function StreamedText({ runId, nodeId, iteration, missing }: StreamedTextProps) {
  const text = useStore(streamedTexts, (state) =>
    state.runId === runId ? state.texts.get(streamKey(nodeId, iteration)) : undefined,
  );
  return text === undefined ? (
    <p className={styles.note}>{missing}</p>
  ) : (
    <p className={styles.text} role="note" aria-label="The answer so far">
      {text}
    </p>
  );
}
