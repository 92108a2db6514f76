"use client";

import { useLocalStorage } from "@mantine/hooks";

export const panelWidths = { min: 300, usual: 380, max: 960 } as const;

/** The preferred width of panels beside the canvas, the same for all of them. */
export function usePanelWidth() {
  const [width, setWidth] = useLocalStorage<number>({ key: "panel-width", defaultValue: panelWidths.usual });
  const { min, max } = panelWidths;
  return { width, setWidth: (px: number) => setWidth(Math.round(Math.min(max, Math.max(min, px)))) };
}
