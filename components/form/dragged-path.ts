import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

const format = "application/x-millrace-path";

/** A path of an earlier node's data on its way into a field. */
export const draggedPath = {
  write: (data: DataTransfer, path: string): void => {
    data.setData(format, path);
    data.setData("text/plain", `{{ ${path} }}`);
    data.effectAllowed = "copy";
  },

  /** Lets a field take paths: within braces where it is text, else as it is. */
  extension: (isTemplate: boolean): Extension =>
    EditorView.domEventHandlers({
      drop: (event, view) => {
        const path = event.dataTransfer?.getData(format) ?? "";
        if (path === "") return false;
        event.preventDefault();
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length;
        const insert = isTemplate ? `{{ ${path} }}` : path;
        view.dispatch({ changes: { from: at, insert }, selection: { anchor: at + insert.length } });
        view.focus();
        return true;
      },
    }),
} as const;
