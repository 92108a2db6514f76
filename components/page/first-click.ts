import type { MouseEvent } from "react";

/**
 * Handles a click, but not the second one of a double click: by then the first may have acted, and another control may be
 * under the pointer. The keyboard's clicks count as first ones.
 */
export const firstClick = (handle: () => void) => (event: MouseEvent) => {
  if (event.detail <= 1) handle();
};
