/** How long the view takes to move, in milliseconds: not at all for whoever asks for less motion. */
export function motionMs(): number {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 160;
}
