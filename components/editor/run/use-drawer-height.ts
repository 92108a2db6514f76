import { useState } from "react";

/** In pixels. */
export const drawerHeights = { usual: 290, least: 120, most: 1_200, stepPx: 24, canvasLeast: 160 } as const;

const key = "millrace:drawer-height";

/** How high the drawer is, as this browser was last told. */
export function useDrawerHeight(): readonly [height: number, setHeight: (px: number) => void] {
  const [height, setHeight] = useState(storedHeight);
  const keep = (px: number) => {
    setHeight(px);
    try {
      window.localStorage.setItem(key, String(px));
    } catch {
      // Forbidden or full: then it is as usual again next time.
    }
  };
  return [height, keep];
}

function storedHeight(): number {
  try {
    const stored = Number(window.localStorage.getItem(key));
    return stored >= drawerHeights.least && stored <= drawerHeights.most ? stored : drawerHeights.usual;
  } catch {
    return drawerHeights.usual;
  }
}
