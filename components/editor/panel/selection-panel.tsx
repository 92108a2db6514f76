import { Button } from "@mantine/core";
import { canRun } from "../actions/action.ts";
import { actionOf } from "../actions/all-actions.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { PaneHead } from "./pane-head.tsx";
import styles from "./side-pane.module.css";

const offered = [
  "duplicate",
  "delete",
  "align-left",
  "align-middle",
  "align-right",
  "align-top",
  "align-center",
  "align-bottom",
  "distribute-across",
  "distribute-down",
];

/** What can be done to several things at once. */
export function SelectionPanel() {
  const session = useSession();
  const count = useEditorState((state) => state.selection.nodes.size);
  return (
    <>
      <PaneHead title={`${count} selected`} />
      <div className={`${styles.body} ${styles.stack}`} style={{ alignContent: "start", gap: 6 }}>
        {offered.map(actionOf).map((action) => (
          <Button
            key={action.id}
            variant="default"
            justify="flex-start"
            disabled={!canRun(action, session)}
            onClick={() => void action.run(session)}
          >
            {action.label}
          </Button>
        ))}
      </div>
    </>
  );
}
