import { syntaxTree } from "@codemirror/language";
import type { EditorState, Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { droppedPath } from "#components/json/json-rows.ts";
import { templateRanges } from "./expression-marks.ts";
import { writtenPath } from "./expression-scope.ts";

/** The language of a field into which a path is dropped. */
export type DropLanguage = "template" | "json" | "expression";

/** Accepts the path of an earlier node's data, written as its position requires. */
export function dropPath(language: DropLanguage): Extension {
  return EditorView.domEventHandlers({
    drop: (event, view) => {
      const path = droppedPath(event.dataTransfer);
      if (path === "") return false;
      event.preventDefault();
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length;
      write(view, droppedAt(view.state, at, path, language));
      return true;
    },
  });
}

/** Inserts a path at the caret, or replaces the selection. */
export function insertPath(view: EditorView, path: string, language: DropLanguage): void {
  const { from, to, empty } = view.state.selection.main;
  const change = droppedAt(view.state, from, path, language);
  write(view, empty ? change : { ...change, from: Math.min(from, change.from), to: Math.max(to, change.to) });
}

function write(view: EditorView, changes: ReturnType<typeof droppedAt>): void {
  const anchor = changes.from + changes.insert.length;
  view.dispatch({ changes, selection: { anchor }, userEvent: "input.drop" });
  view.focus();
}

/**
 * The change made by a dropped path. Within an expression it is inserted as it is, replacing a path that it is dropped
 * on; within text it gets braces, and quotes too where JSON needs a value.
 */
export function droppedAt(state: EditorState, at: number, path: string, language: DropLanguage) {
  const text = state.doc.toString();
  const isWithin = templateRanges(text).some(({ from, to }) => at > from + 1 && at < to - 1);
  if (language === "expression" || isWithin) return { ...pathAt(text, at), insert: path };
  const insert = `{{ ${path} }}`;
  const isQuoted = language === "json" && !isInString(state, at);
  return { from: at, to: at, insert: isQuoted ? JSON.stringify(insert) : insert };
}

/** The path around a position; else the position itself. */
function pathAt(text: string, at: number): { from: number; to: number } {
  for (const { index, 0: written } of text.matchAll(writtenPath)) {
    if (at > index && at < index + written.length) return { from: index, to: index + written.length };
  }
  return { from: at, to: at };
}

function isInString(state: EditorState, at: number): boolean {
  const { name, from, to } = syntaxTree(state).resolveInner(at);
  return /String|PropertyName/.test(name) && at > from && at < to;
}
