// The text that a model streams in the watched run, until its step has ended with an output. Apart from the component that
// shows it: a run's page listens before anything is drawn.
import { createStore } from "zustand/vanilla";
import type { StreamEvent } from "#lib/contract/executions/stream.ts";

export type TextEvent = Extract<StreamEvent, { event: "text" }>["data"];

interface StreamedTexts {
  readonly runId: string;
  readonly texts: ReadonlyMap<string, string>;
}

export const streamedTexts = createStore<StreamedTexts>(() => ({ runId: "", texts: new Map() }));
export const streamKey = (nodeId: string, iteration: string | null) => `${nodeId} ${iteration}`;

/** Keeps the streamed text of the run that was watched last. */
export function noteStreamedText(runId: string, { nodeId, iteration, text }: TextEvent): void {
  streamedTexts.setState((state) => ({
    runId,
    texts: new Map(state.runId === runId ? state.texts : []).set(streamKey(nodeId, iteration), text),
  }));
}
