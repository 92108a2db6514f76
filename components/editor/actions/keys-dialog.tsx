import { Modal } from "@mantine/core";
import { useReturnedFocus } from "#components/dialog/dialog.tsx";
import { isMac } from "#components/palette/palette-loader.ts";
import { useEditor, useEditorState } from "../state/editor-context.ts";
import { actionGroups, keysOf } from "./action.ts";
import { ActionKeys } from "./action-button.tsx";
import { allActions } from "./all-actions.ts";
import styles from "./keys-dialog.module.css";

/** All shortcuts of the editor, on `?`. */
export function KeysDialog() {
  const isOpen = useEditorState((state) => state.isShowingKeys);
  return isOpen ? <Dialog /> : null;
}

const withKeys = (group: string) =>
  allActions.filter((action) => action.group === group && keysOf(action, isMac()) !== null);

function Dialog() {
  useReturnedFocus();
  const editor = useEditor();
  return (
    <Modal
      opened
      onClose={() => editor.store.setState({ isShowingKeys: false })}
      title="Keyboard shortcuts"
      size={720}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <div className={styles.groups}>
        {actionGroups.map((group) => (
          <section key={group} className={styles.group} aria-label={group}>
            <h3>{group}</h3>
            <dl className={styles.list}>
              {withKeys(group).map((action) => (
                <div key={action.id} className={styles.line}>
                  <dt>{action.label}</dt>
                  <dd>
                    <ActionKeys action={action} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
