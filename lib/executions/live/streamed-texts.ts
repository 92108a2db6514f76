// Models' answers while this process streams them, for clients that watch a run. Nothing is stored: the complete answer
// is the step's output, and clients of another server see only that.
import { readStepId } from "#lib/engine/step.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** A step's text so far. */
export interface StreamedText {
  readonly nodeId: string;
  /** The loop iteration or agent step; null outside of both. */
  readonly iteration: string | null;
  readonly text: string;
}

/** Characters of one text that are sent. Every update sends them all. */
const shownMax = 32_768;
const betweenMs = 200;

/** Follows the text that models stream in one run. */
interface Listener {
  readonly notify: () => void;
  timer: NodeJS.Timeout | undefined;
}

class StreamedTexts {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #texts = new Map<string, Map<string, () => string>>();

  /** Calls `notify` when there is more text, at most five times a second, until the returned function is called. */
  listen(runId: string, notify: () => void): () => void {
    const listener: Listener = { notify, timer: undefined };
    const listeners = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, listeners.add(listener));
    return () => {
      clearTimeout(listener.timer);
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(runId);
    };
  }

  /** Whether the run's streamed text has a listener. */
  hasListeners(runId: string): boolean {
    return this.#listeners.has(runId);
  }

  /**
   * Sets a step's text so far; null once it has ended. A function, because it may grow with every character and is read
   * only when sent.
   */
  set(runId: string, stepId: string, text: (() => string) | null): void {
    const texts = this.#texts.get(runId) ?? new Map<string, () => string>();
    if (text === null) texts.delete(stepId);
    else texts.set(stepId, text);
    if (texts.size === 0) this.#texts.delete(runId);
    else this.#texts.set(runId, texts);
    if (text === null) return;
    for (const listener of this.#listeners.get(runId) ?? []) {
      listener.timer ??= setTimeout(() => {
        listener.timer = undefined;
        listener.notify();
      }, betweenMs);
    }
  }

  /** The texts being streamed in the run. */
  of(runId: string): StreamedText[] {
    return [...(this.#texts.get(runId) ?? [])].map(([stepId, text]) => ({
      ...readStepId(stepId),
      text: shortened(text()),
    }));
  }
}

const shortened = (text: string) => (text.length > shownMax ? `${text.slice(0, shownMax).toWellFormed()}…` : text);

export function streamedTexts(): StreamedTexts {
  return singleton("streamed-texts", () => new StreamedTexts());
}
