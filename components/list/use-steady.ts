"use client";
import { type RefObject, useEffect, useReducer, useRef } from "react";
import { Presses } from "./presses.ts";

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
