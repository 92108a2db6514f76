import { Button } from "@mantine/core";
import { canRun } from "../actions/action.ts";
import { ActionButton } from "../actions/action-button.tsx";
import { actionIcons } from "../actions/action-icons.ts";
import { ActionKeys } from "../actions/action-keys.tsx";
import { actionOf } from "../actions/all-actions.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { PaneHead } from "./pane-head.tsx";
import styles from "./side-pane.module.css";

const lines = [
  ["align-left", "align-middle", "align-right", "distribute-across"],
  ["align-top", "align-center", "align-bottom", "distribute-down"],
];
const offered = ["group", "tidy-selection", "copy", "duplicate", "delete"];

/** What can be done to several things at once. */
export function SelectionPanel() {
  const session = useSession();
  const count = useEditorState((state) => state.selection.nodes.size);
  return (
    <>
      <PaneHead title={`${count} selected`} />
      <div className={`${styles.body} ${styles.stack}`} style={{ alignContent: "start", gap: 6 }}>
        <div className={styles.aligning} role="toolbar" aria-label="Align">
          {lines.map((ids) => (
            <div key={ids[0]} className={styles.line}>
              {ids.map((id) => (
                <ActionButton key={id} id={id} />
              ))}
            </div>
          ))}
        </div>
        {offered.map(actionOf).map((action) => {
          const Icon = actionIcons[action.id];
          return (
            <Button
              key={action.id}
              variant="default"
              justify="space-between"
              leftSection={Icon && <Icon size={15} aria-hidden="true" />}
              rightSection={<ActionKeys action={action} />}
              styles={{ label: { flex: 1 } }}
              disabled={!canRun(action, session)}
              onClick={() => void action.run(session)}
            >
              {action.label}
            </Button>
          );
        })}
      </div>
    </>
  );
}
