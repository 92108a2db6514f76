import { syntaxTree } from "@codemirror/language";
import type { EditorState, Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { droppedPath } from "#components/json/dragged-path.ts";
import { templateRanges } from "./expression-marks.ts";

/** What the text of a field is, for a path that is put into it. */
export type DropLanguage = "template" | "json" | "expression";

/** Lets a field take the path of an earlier node's data, written as it has to be where it is let go. */
export function dropPath(language: DropLanguage): Extension {
  return EditorView.domEventHandlers({
    drop: (event, view) => {
      const path = droppedPath(event.dataTransfer);
      if (path === "") return false;
      event.preventDefault();
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length;
      const insert = writtenAt(view.state, at, path, language);
      view.dispatch({
        changes: { from: at, insert },
        selection: { anchor: at + insert.length },
        userEvent: "input.drop",
      });
      view.focus();
      return true;
    },
  });
}

/** As it is within an expression; in braces within text; in braces and quotes where JSON wants a value. */
export function writtenAt(state: EditorState, at: number, path: string, language: DropLanguage): string {
  const isWithin = templateRanges(state.doc.toString()).some(({ from, to }) => at > from + 1 && at < to - 1);
  if (language === "expression" || isWithin) return path;
  if (language === "template" || isInString(state, at)) return `{{ ${path} }}`;
  return JSON.stringify(`{{ ${path} }}`);
}

function isInString(state: EditorState, at: number): boolean {
  const { name, from, to } = syntaxTree(state).resolveInner(at);
  return /String|PropertyName/.test(name) && at > from && at < to;
}
