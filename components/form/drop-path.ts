import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { droppedPath } from "#components/json/dragged-path.ts";

/** Lets a field take the path of an earlier node's data: within braces where it is text, else as it is. */
export function dropPath(isTemplate: boolean): Extension {
  return EditorView.domEventHandlers({
    drop: (event, view) => {
      const path = droppedPath(event.dataTransfer);
      if (path === "") return false;
      event.preventDefault();
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length;
      const insert = isTemplate ? `{{ ${path} }}` : path;
      view.dispatch({ changes: { from: at, insert }, selection: { anchor: at + insert.length } });
      view.focus();
      return true;
    },
  });
}
