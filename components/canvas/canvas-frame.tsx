import type { ReactNode } from "react";
import styles from "./canvas-frame.module.css";

/** The canvas and, to its right, the panel for the selection. */
export function CanvasFrame({ children, panel }: { readonly children: ReactNode; readonly panel?: ReactNode }) {
  return (
    <div className={styles.frame}>
      <div className={styles.canvas}>{children}</div>
      {panel}
    </div>
  );
}
