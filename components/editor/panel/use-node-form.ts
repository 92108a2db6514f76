import { useMemo } from "react";
import type { FormContextValue } from "#components/form/form-context.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { configPathOf } from "../draft/read-problems.ts";
import { useEditor, useEditorState } from "../state/editor-context.ts";
import { useExpressionScope } from "./use-expression-scope.ts";

/** What the fields of a node's form need beside their values. */
export function useNodeForm(id: string): FormContextValue {
  const editor = useEditor();
  const all = useEditorState((state) => state.problems);
  const scope = useExpressionScope(id);
  const problems = useMemo(() => {
    const own = all.filter((problem) => problem.nodeId === id && configPathOf(problem) !== null);
    // Reversed, so that of several problems at one path the first, which blocks activation, is shown.
    return new Map(own.toReversed().map((problem) => [configPathOf(problem) ?? "", problem.message]));
  }, [all, id]);
  return useMemo(
    () => ({
      scope: id === triggerSource ? { ...scope, evaluate: null } : scope,
      problems,
      readOnly: false,
      onLeave: () => editor.endGesture(),
      onUndo: () => editor.undo(),
      onRedo: () => editor.redo(),
    }),
    [editor, id, scope, problems],
  );
}
