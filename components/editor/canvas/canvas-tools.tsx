import { ActionButton } from "../actions/action-button.tsx";
import styles from "./canvas-tools.module.css";

/** Controls for the view and the history. */
export function CanvasTools() {
  return (
    <div className={styles.tools} role="toolbar" aria-label="View and history">
      <ActionButton id="undo" />
      <ActionButton id="redo" />
      <span className={styles.rule} />
      <ActionButton id="zoom-out" />
      <ActionButton id="zoom-in" />
      <ActionButton id="fit" />
      <ActionButton id="map" />
      <span className={styles.rule} />
      <ActionButton id="tidy" />
      <ActionButton id="add-note" />
      <ActionButton id="commands" />
    </div>
  );
}
