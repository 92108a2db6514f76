// The text that a model streams in the watched run, until its step has ended with an output.
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { StreamEvent } from "#lib/contract/executions/stream.ts";
import styles from "./agent-steps.module.css";

export type Spoken = Extract<StreamEvent, { event: "text" }>["data"];

interface Heard {
  readonly runId: string;
  readonly texts: ReadonlyMap<string, string>;
}

const store = createStore<Heard>(() => ({ runId: "", texts: new Map() }));
const placeOf = (nodeId: string, iteration: string | null) => `${nodeId} ${iteration}`;

/** Keeps the streamed text of the run that was watched last. */
export function hearText(runId: string, { nodeId, iteration, text }: Spoken): void {
  store.setState((heard) => ({
    runId,
    texts: new Map(heard.runId === runId ? heard.texts : []).set(placeOf(nodeId, iteration), text),
  }));
}

interface SpokenTextProps {
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: string | null;
  /** Shown while there is no text. */
  readonly missing: string;
}

/** The streamed text of a node or step in progress. */
export function SpokenText({ runId, nodeId, iteration, missing }: SpokenTextProps) {
  const text = useStore(store, (heard) =>
    heard.runId === runId ? heard.texts.get(placeOf(nodeId, iteration)) : undefined,
  );
  return text === undefined ? (
    <p className={styles.note}>{missing}</p>
  ) : (
    <p className={styles.text} role="note" aria-label="The answer so far">
      {text}
    </p>
  );
}
