import { type RefObject, useEffect, useRef, useState } from "react";

/**
 * For a menu whose code is loaded when its button is pressed: opens it once its own button is there and has the focus
 * of the one it replaces, so that the menu gives the focus back when it closes.
 */
export function useOpenedByEffect() {
  const { target, regain } = useRegain();
  const [opened, onChange] = useState(false);
  useEffect(() => {
    regain();
    onChange(true);
  }, [regain]);
  return { target, regain, opened, onChange };
}

/**
 * A menu's button, and what gives it the focus before an entry's action runs: a dialog that opens then gives the focus
 * back to the button, not to an entry that is gone.
 */
export function useRegain(): { readonly target: RefObject<HTMLButtonElement | null>; readonly regain: () => void } {
  const target = useRef<HTMLButtonElement>(null);
  const [regain] = useState(() => () => target.current?.focus({ preventScroll: true }));
  return { target, regain };
}
