import Link from "next/link";
import { RunButton } from "../run/run-button.tsx";
import { useEditorState } from "../state/editor-context.ts";
import styles from "./editor-header.module.css";
import { FlowMenu } from "./flow-menu.tsx";
import { NameField } from "./name-field.tsx";
import { SaveMark } from "./save-mark.tsx";
import { StatusControl } from "./status-control.tsx";

/** The flow's name, how far it is saved, whether it is live, and the button that runs it. */
export function EditorHeader() {
  const version = useEditorState((state) => state.version);
  return (
    <header className={styles.header}>
      <Link href="/flows" className={styles.parent}>
        Flows
      </Link>
      <span className={styles.slash} aria-hidden="true">
        /
      </span>
      <NameField />
      <span className={styles.version}>v{version}</span>
      <SaveMark />
      <div className={styles.actions}>
        <StatusControl />
        <FlowMenu />
        <RunButton />
      </div>
    </header>
  );
}
