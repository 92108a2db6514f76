/** Milliseconds: after the last change, at most after the first one, and before something that failed is tried again. */
const pause = { quiet: 700, most: 4_000, offline: 3_000 } as const;

/** When edits are sent: soon after the last of several, but not long after the first. There is one next time, or none. */
export class SavePace {
  readonly #send: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstChange: number | null = null;

  constructor(send: () => void) {
    this.#send = send;
  }

  /** Something changed: it is sent once nothing changes for a moment. */
  changed(): void {
    this.#firstChange ??= Date.now();
    const most = Math.max(0, this.#firstChange + pause.most - Date.now());
    this.#after(Math.min(pause.quiet, most));
  }

  /** There is something to find out, in a moment. */
  soon(): void {
    this.#after(pause.quiet);
  }

  now(): void {
    this.#after(0);
  }

  /** The server could not be reached. */
  later(): void {
    this.#after(pause.offline);
  }

  /** Everything so far is on its way: the next change is the first one again. */
  sent(): void {
    this.#firstChange = null;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #after(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#send, ms);
  }
}
