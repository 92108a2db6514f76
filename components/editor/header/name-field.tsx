import { flowLimits } from "#lib/engine/flow.ts";
import { changeDetails } from "../commands/change-details.ts";
import { useEditor, useEditorState } from "../state/editor-context.ts";
import styles from "./editor-header.module.css";

/** The flow's name, written where it stands. */
export function NameField() {
  const editor = useEditor();
  const name = useEditorState((state) => state.draft.name);
  return (
    <>
      <h1 className={styles.hidden}>{name}</h1>
      <input
        className={styles.name}
        value={name}
        maxLength={flowLimits.nameCharactersMax}
        aria-label="Name of the flow"
        title={name}
        onChange={(event) => {
          const { value } = event.currentTarget;
          editor.change("Rename the flow", changeDetails({ name: value }), "flow name");
        }}
        onBlur={() => {
          if (editor.draft.name.trim() === "")
            editor.change("Rename the flow", changeDetails({ name: "Untitled" }), "flow name");
          editor.endGesture();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        }}
      />
    </>
  );
}
