"use client";

import { useLocalStorage } from "@mantine/hooks";
import type { KeyboardEvent, PointerEvent } from "react";
import styles from "./side-panel.module.css";

const stepPx = 24;

interface PanelGripProps {
  readonly width: number;
  readonly setWidth: (px: number) => void;
}

/** The panel's left edge: drag it or use the arrow keys to resize the panel. */
export function PanelGrip({ width, setWidth }: PanelGripProps) {
  const drag = ({ currentTarget, pointerId, clientX }: PointerEvent<HTMLButtonElement>) => {
    currentTarget.setPointerCapture(pointerId);
    const move = (event: globalThis.PointerEvent) => setWidth(width + clientX - event.clientX);
    const stop = () => currentTarget.removeEventListener("pointermove", move);
    currentTarget.addEventListener("pointermove", move);
    currentTarget.addEventListener("pointerup", stop, { once: true });
    currentTarget.addEventListener("pointercancel", stop, { once: true });
  };
  const step = (event: KeyboardEvent) => {
    const by = { ArrowLeft: stepPx, ArrowRight: -stepPx }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    setWidth(width + by);
  };
  return (
    <button
      type="button"
      role="slider"
      className={styles.grip}
      aria-label="Panel width"
      aria-orientation="horizontal"
      aria-valuenow={width}
      aria-valuemin={panelWidths.min}
      aria-valuemax={panelWidths.max}
      onPointerDown={drag}
      onKeyDown={step}
      onDoubleClick={() => setWidth(panelWidths.usual)}
    />
  );
}

const panelWidths = { min: 300, usual: 380, max: 960 } as const;

/** The preferred width of panels beside the canvas, the same for all of them. */
export function usePanelWidth() {
  const [width, setWidth] = useLocalStorage<number>({ key: "panel-width", defaultValue: panelWidths.usual });
  const { min, max } = panelWidths;
  return { width, setWidth: (px: number) => setWidth(Math.round(Math.min(max, Math.max(min, px)))) };
}
