import { CloseButton } from "@mantine/core";
import { createContext, type MouseEvent, type ReactNode, useContext } from "react";
import { triggerSource } from "#lib/engine/flow.ts";
import { useSession } from "../state/editor-context.ts";
import styles from "./side-pane.module.css";

interface PaneHeadProps {
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  readonly facts?: ReactNode;
  readonly tools?: ReactNode;
}

/** Whether the panel is a tab's page: then there is nothing to close it for. */
export const PageOfTab = createContext(false);

/** The head of the panel: its subject. */
export function PaneHead({ icon, title, facts, tools }: PaneHeadProps) {
  const { editor, view } = useSession();
  const isPage = useContext(PageOfTab);
  const close = ({ detail }: MouseEvent) => {
    const [id = triggerSource] = editor.selection.nodes;
    editor.select([]);
    editor.show("node");
    // By keyboard: what had the focus is gone.
    if (detail === 0) view.port?.focus(id);
  };
  return (
    <header className={styles.head}>
      {icon}
      <div className={styles.words}>
        {typeof title === "string" ? <h2 className={styles.title}>{title}</h2> : title}
        {facts !== undefined && <div className={styles.facts}>{facts}</div>}
      </div>
      {tools}
      {!isPage && <CloseButton onClick={close} aria-label="Close the panel" />}
    </header>
  );
}
