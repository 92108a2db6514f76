interface Extent {
  readonly width: number;
  readonly height: number;
}

interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

interface Box extends Extent {
  readonly x: number;
  readonly y: number;
}

/** The view moved as little as shows a box of the canvas whole; null when it is in view already. */
export function moveIntoView(box: Box, view: View, screen: Extent, margin: number): View | null {
  const x = shift(box.x * view.zoom + view.x, box.width * view.zoom, screen.width, margin);
  const y = shift(box.y * view.zoom + view.y, box.height * view.zoom, screen.height, margin);
  return x === 0 && y === 0 ? null : { ...view, x: view.x + x, y: view.y + y };
}

function shift(from: number, length: number, room: number, margin: number): number {
  const to = from + length;
  if (to > room - margin) return Math.max(room - margin - to, margin - from);
  return from < margin ? margin - from : 0;
}
