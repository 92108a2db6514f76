/** Follows the mouse's button, so that what would redraw the page can wait until the button is up. */
export class Presses {
  readonly #target: EventTarget;
  readonly #stop = new AbortController();
  #isDown = false;

  constructor(target: EventTarget) {
    this.#target = target;
    this.#on("mousedown", () => (this.#isDown = true));
    for (const end of ["mouseup", "dragend"]) this.#on(end, () => (this.#isDown = false));
  }

  /**
   * Calls back at once, or after the press in progress: a click needs its target to be there from press to release. What
   * is clicked comes after the call.
   */
  after(call: () => void): void {
    if (!this.#isDown) {
      call();
      return;
    }
    const done = new AbortController();
    const once = () => {
      if (done.signal.aborted) return;
      done.abort();
      call();
    };
    this.#on("click", once, done.signal);
    // A press that ends elsewhere than it began makes no click.
    for (const end of ["mouseup", "dragend"]) this.#on(end, () => setTimeout(once), done.signal);
  }

  stop(): void {
    this.#stop.abort();
  }

  #on(type: string, listener: () => void, until?: AbortSignal): void {
    const signal = until === undefined ? this.#stop.signal : AbortSignal.any([until, this.#stop.signal]);
    this.#target.addEventListener(type, listener, { capture: true, signal });
  }
}
