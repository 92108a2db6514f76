/** Input recorded before hydration. */
interface EarlyInput {
  /** The palette's key. */
  palette: boolean;
  /** The last clicked button, checkbox or radio button. */
  button: HTMLElement | null;
  /** The last field that was changed, and its value. */
  entry: { readonly field: HTMLSelectElement | HTMLInputElement; readonly value: string } | null;
  /** Stops recording. */
  readonly stop: () => void;
}

declare global {
  interface Window {
    earlyInput?: EarlyInput;
  }
}

/** Runs while the page is still loading: records input until `repeatEarlyInput`. */
export const earlyInputScript = `(() => {
  const early = { palette: false, button: null, entry: null, stop };
  function onKey(event) {
    const isOther = event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey);
    if (isOther || String(event.key).toLowerCase() !== "k") return;
    event.preventDefault();
    early.palette = true;
  }
  function onClick(event) {
    early.button = event.target.closest("button[type=button],input[type=checkbox],input[type=radio]");
  }
  function onInput({ target }) {
    const isField = target.matches("select,input:not([type=checkbox],[type=radio],[type=file])");
    if (isField) early.entry = { field: target, value: target.value };
  }
  function stop() {
    removeEventListener("keydown", onKey);
    removeEventListener("click", onClick, true);
    removeEventListener("input", onInput, true);
  }
  addEventListener("keydown", onKey);
  addEventListener("click", onClick, true);
  addEventListener("input", onInput, true);
  window.earlyInput = early;
})();`;

/** The page has handled a click itself. */
export function forgetEarlyClick(): void {
  if (window.earlyInput !== undefined) window.earlyInput.button = null;
}

/** Repeats the unhandled input, once. From here on, the page listens itself. */
export function repeatEarlyInput(openPalette: () => void): void {
  const { palette = false, button = null, entry = null } = window.earlyInput ?? {};
  window.earlyInput?.stop();
  delete window.earlyInput;
  if (entry?.field.isConnected) enter(entry.field, entry.value);
  if (palette) openPalette();
  else if (button?.isConnected) press(button);
}

function enter(field: HTMLSelectElement | HTMLInputElement, value: string): void {
  const isList = field instanceof HTMLSelectElement;
  // React ignores an event without a change. It sees values set on the element, but not those set by the prototype's setter.
  if (!isList) field.value = "";
  const prototype = isList ? HTMLSelectElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
  field.dispatchEvent(new Event(isList ? "change" : "input", { bubbles: true }));
}

function press(button: HTMLElement): void {
  // The browser has toggled it already, unseen by React: toggle it back, so that the click is a change.
  if (button instanceof HTMLInputElement) button.checked = !button.checked;
  button.click();
}
