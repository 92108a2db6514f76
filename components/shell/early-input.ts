/** Input recorded before hydration. */
interface EarlyInput {
  /** The palette's key. */
  palette: boolean;
  /** The last clicked button. */
  button: HTMLElement | null;
  /** Stops recording. */
  readonly stop: () => void;
}

declare global {
  interface Window {
    earlyInput?: EarlyInput;
  }
}

/** Runs while the page is still loading: records input until `takeEarlyInput`. */
export const earlyInputScript = `(() => {
  const early = { palette: false, button: null, stop };
  function onKey(event) {
    const isOther = event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey);
    if (isOther || String(event.key).toLowerCase() !== "k") return;
    event.preventDefault();
    early.palette = true;
  }
  function onClick(event) {
    early.button = event.target.closest("button[type=button]");
  }
  function stop() {
    removeEventListener("keydown", onKey);
    removeEventListener("click", onClick, true);
  }
  addEventListener("keydown", onKey);
  addEventListener("click", onClick, true);
  window.earlyInput = early;
})();`;

/** The page has handled a click itself. */
export function forgetEarlyClick(): void {
  if (window.earlyInput !== undefined) window.earlyInput.button = null;
}

/** Returns the unhandled input, once. From here on, the page listens itself. */
export function takeEarlyInput(): { readonly palette: boolean; readonly button: HTMLElement | null } {
  const { palette = false, button = null } = window.earlyInput ?? {};
  window.earlyInput?.stop();
  delete window.earlyInput;
  return { palette, button: button?.isConnected === true ? button : null };
}
