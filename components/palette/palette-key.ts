import { isMac } from "./is-mac.ts";

/** The shortcut of the palette as people read it. Only in the browser: the server does not know the keyboard. */
export function paletteKey(): string {
  return isMac() ? "⌘K" : "Ctrl K";
}
