import { CloseButton } from "@mantine/core";
import { useEditor, useEditorState } from "../state/editor-context.ts";
import styles from "./notice-list.module.css";

/** Short messages over the canvas, the latest at the bottom. */
export function NoticeList() {
  const editor = useEditor();
  const notices = useEditorState((state) => state.notices);
  return (
    <div className={styles.notices} role="status">
      {notices.map(({ id, text, tone, action }) => (
        <div key={id} className={styles.notice} data-tone={tone}>
          <span>{text}</span>
          {action !== undefined && (
            <button
              type="button"
              className={styles.action}
              onClick={() => {
                editor.dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <CloseButton size="xs" onClick={() => editor.dismiss(id)} aria-label="Dismiss" />
        </div>
      ))}
    </div>
  );
}
