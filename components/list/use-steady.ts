"use client";
import { type RefObject, useEffect, useReducer, useRef } from "react";

/** A press is over with the first of these; a native menu that it opens may keep the button's release to itself. */
const ends = ["mouseup", "dragend", "contextmenu"] as const;

/** A press that lasts longer is not waited for: its end went elsewhere. */
const pressMsMax = 3_000;

/** Follows the mouse's button, so that what would redraw the page can wait until the button is up. */
export class Presses {
  readonly #target: EventTarget;
  readonly #stop = new AbortController();
  /** When the button was pressed; null while it is up. */
  #since: number | null = null;

  constructor(target: EventTarget) {
    this.#target = target;
    this.#on("mousedown", () => {
      this.#since = performance.now();
    });
    for (const end of ends) {
      this.#on(end, () => {
        this.#since = null;
      });
    }
  }

  get isDown(): boolean {
    return this.#since !== null && performance.now() - this.#since < pressMsMax;
  }

  /**
   * Calls back at once, or after the press in progress: a click needs its target to be there from press to release. What
   * is clicked comes after the call.
   */
  after(call: () => void): void {
    if (!this.isDown) {
      call();
      return;
    }
    const done = new AbortController();
    const once = () => {
      if (done.signal.aborted || this.#stop.signal.aborted) return;
      done.abort();
      call();
    };
    this.#on("click", once, done.signal);
    // A press that ends elsewhere than it began makes no click.
    for (const end of ends) this.#on(end, () => setTimeout(once), done.signal);
    setTimeout(once, pressMsMax);
  }

  stop(): void {
    this.#stop.abort();
  }

  #on(type: string, listener: () => void, until?: AbortSignal): void {
    const signal = until === undefined ? this.#stop.signal : AbortSignal.any([until, this.#stop.signal]);
    this.#target.addEventListener(type, listener, { capture: true, signal });
  }
}

/** The mouse's presses; null on the server and until the page is interactive. */
export function usePresses(): RefObject<Presses | null> {
  const presses = useRef<Presses>(null);
  useEffect(() => {
    const followed = new Presses(window);
    presses.current = followed;
    return () => followed.stop();
  }, []);
  return presses;
}

/**
 * What a list shows: its latest data, or while the mouse's button is down, what it showed then. A row that is redrawn or
 * moves between press and release would lose the click, or give it to another.
 */
export function useSteady<T>(latest: T): T {
  const presses = usePresses();
  const shown = useRef(latest);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const isHeld = presses.current?.isDown === true;
  if (!isHeld) shown.current = latest;
  useEffect(() => {
    // Once the click has been handled.
    if (isHeld) presses.current?.after(() => setTimeout(redraw));
  });
  return shown.current;
}
