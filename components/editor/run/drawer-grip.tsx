import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import styles from "./run-drawer.module.css";

/** In pixels. */
const drawerHeights = { usual: 290, least: 120, most: 1_200, stepPx: 24, canvasLeast: 160 } as const;

const key = "millrace:drawer-height";

/** The drawer's height, as stored in this browser. */
export function useDrawerHeight(): readonly [height: number, setHeight: (px: number) => void] {
  const [height, setHeight] = useState(storedHeight);
  const keep = (px: number) => {
    setHeight(px);
    try {
      window.localStorage.setItem(key, String(px));
    } catch {
      // Forbidden or full: next time the default applies.
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

interface DrawerGripProps {
  readonly height: number;
  readonly setHeight: (px: number) => void;
}

/** The drawer's upper edge: drag it or use the arrow keys to resize the drawer. */
export function DrawerGrip({ height, setHeight }: DrawerGripProps) {
  const grip = useRef<HTMLDivElement>(null);
  const { least, stepPx, usual, canvasLeast } = drawerHeights;
  /** Leaves some room for the canvas above. */
  const most = () => {
    const room = grip.current?.parentElement?.parentElement?.clientHeight ?? drawerHeights.most;
    return Math.max(least, Math.min(drawerHeights.most, room - canvasLeast));
  };
  const resize = (to: number) => setHeight(Math.round(Math.max(least, Math.min(most(), to))));
  const drag = ({ currentTarget, pointerId, clientY }: PointerEvent<HTMLDivElement>) => {
    currentTarget.setPointerCapture(pointerId);
    const before = Math.min(height, most());
    const move = (event: globalThis.PointerEvent) => resize(before + clientY - event.clientY);
    const stop = () => currentTarget.removeEventListener("pointermove", move);
    currentTarget.addEventListener("pointermove", move);
    currentTarget.addEventListener("pointerup", stop, { once: true });
    currentTarget.addEventListener("pointercancel", stop, { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowUp: height + stepPx, ArrowDown: height - stepPx, Home: least, End: most() }[event.key];
    if (to === undefined) return;
    // Elsewhere the arrows walk the graph.
    event.preventDefault();
    event.stopPropagation();
    resize(to);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that can be moved has no element of its own
    <div
      ref={grip}
      className={styles.grip}
      role="separator"
      aria-orientation="horizontal"
      aria-label="Drawer height"
      aria-valuenow={height}
      aria-valuemin={least}
      aria-valuemax={drawerHeights.most}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={onKeyDown}
      onDoubleClick={() => resize(usual)}
    />
  );
}
