import { IconAlertTriangle, IconCloudCheck, IconCloudOff, IconLoader2 } from "@tabler/icons-react";
import { useEditorState } from "../state/editor-context.ts";
import type { SaveState } from "../state/save-state.ts";
import styles from "./editor-header.module.css";

const words: Record<SaveState["kind"], { readonly text: string; readonly icon: typeof IconCloudCheck }> = {
  saved: { text: "Saved", icon: IconCloudCheck },
  waiting: { text: "Saving", icon: IconLoader2 },
  saving: { text: "Saving", icon: IconLoader2 },
  offline: { text: "Kept in this browser", icon: IconCloudOff },
  "signed-out": { text: "Kept in this browser", icon: IconCloudOff },
  refused: { text: "Not saved", icon: IconAlertTriangle },
  forbidden: { text: "Not saved", icon: IconAlertTriangle },
  conflict: { text: "Not saved", icon: IconAlertTriangle },
  gone: { text: "Deleted elsewhere", icon: IconAlertTriangle },
};

const notKept = { text: "Not saved", icon: IconAlertTriangle };

/** How far the edits have come on their way to the server. */
export function SaveMark() {
  const save = useEditorState((state) => state.save);
  const { kind } = save;
  const { text, icon: Icon } = "kept" in save && !save.kept ? notKept : words[kind];
  return (
    <span className={styles.save} data-kind={kind} role="status" aria-label={`Changes: ${text}`}>
      <Icon size={14} aria-hidden="true" />
      {text}
    </span>
  );
}
