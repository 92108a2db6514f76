"use client";

import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import styles from "./size-grip.module.css";

/** The size of something that can be resized; in pixels. */
interface SizeLimits {
  /** Its name in this browser's storage. */
  readonly key: string;
  readonly usual: number;
  readonly least: number;
  readonly most: number;
}

/** A size as stored in this browser, for what is drawn there only. */
export function useStoredSize(limits: SizeLimits) {
  const [px, setPx] = useState(() => storedSize(limits));
  const resize = (to: number) => {
    const next = Math.round(within(limits, to));
    setPx(next);
    try {
      window.localStorage.setItem(limits.key, String(next));
    } catch {
      // Storage is blocked or full: the default applies next time.
    }
  };
  return { px, resize, limits };
}

function storedSize({ key, least, most, usual }: SizeLimits): number {
  try {
    const stored = Number(window.localStorage.getItem(key));
    return stored >= least && stored <= most ? stored : usual;
  } catch {
    return usual;
  }
}

function within({ least, most }: Pick<SizeLimits, "least" | "most">, px: number): number {
  return Math.max(least, Math.min(most, px));
}

/** The dragged edge, the direction that enlarges the panel, and that direction's key. */
const edges = {
  left: { orientation: "vertical", grow: "ArrowLeft", shrink: "ArrowRight", at: "clientX", room: "clientWidth" },
  top: { orientation: "horizontal", grow: "ArrowUp", shrink: "ArrowDown", at: "clientY", room: "clientHeight" },
} as const;

const stepPx = 24;

interface SizeGripProps extends ReturnType<typeof useStoredSize> {
  readonly edge: keyof typeof edges;
  readonly label: string;
  /** The least width left for the canvas, in pixels. */
  readonly spare: number;
}

/** An edge of a panel, the first of its children: drag it, or use the arrow keys, to resize the panel. */
export function SizeGrip({ edge, label, spare, px, resize, limits }: SizeGripProps) {
  const { orientation, grow, shrink, at, room } = edges[edge];
  const grip = useRef<HTMLDivElement>(null);
  const most = () => {
    const around = grip.current?.parentElement?.parentElement?.[room] ?? limits.most;
    return within(limits, around - spare);
  };
  const to = (size: number) => resize(Math.min(most(), size));
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const { currentTarget, pointerId, [at]: from } = event;
    currentTarget.setPointerCapture(pointerId);
    const before = Math.min(px, most());
    const move = (moved: globalThis.PointerEvent) => to(before + from - moved[at]);
    const stop = () => currentTarget.removeEventListener("pointermove", move);
    currentTarget.addEventListener("pointermove", move);
    currentTarget.addEventListener("pointerup", stop, { once: true });
    currentTarget.addEventListener("pointercancel", stop, { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const size = { [grow]: px + stepPx, [shrink]: px - stepPx, Home: limits.least, End: most() }[event.key];
    if (size === undefined) return;
    // Elsewhere the arrows walk the graph.
    event.preventDefault();
    event.stopPropagation();
    to(size);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that can be moved has no element of its own
    <div
      ref={grip}
      className={styles.grip}
      data-edge={edge}
      role="separator"
      aria-orientation={orientation}
      aria-label={label}
      aria-valuenow={px}
      aria-valuemin={limits.least}
      aria-valuemax={limits.most}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={onKeyDown}
      onDoubleClick={() => to(limits.usual)}
    />
  );
}
