import { useCallback, useMemo, useRef } from "react";
import type { FormContextValue } from "#components/form/form-context.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { configPathOf } from "../draft/read-problems.ts";
import { useEditor, useEditorState, useIsNew } from "../state/editor-context.ts";
import { useExpressionScope } from "./data/use-expression-scope.ts";

interface NodeForm {
  readonly form: FormContextValue;
  /** Writes a value's path into the code field that was used last. */
  readonly pick: (path: string) => void;
}

/** What a node's form fields need besides their values. `configSchema`: the JSON Schema of its type's config. */
export function useNodeForm(id: string, configSchema?: unknown): NodeForm {
  const editor = useEditor();
  const all = useEditorState((state) => state.problems);
  const isNew = useIsNew(id);
  const scope = useExpressionScope(id);
  const field = useRef<((path: string) => void) | null>(null);
  const problems = useMemo(() => {
    const own = all.filter((problem) => {
      // A hint does not make a field invalid.
      return !isNew && problem.nodeId === id && configPathOf(problem) !== null && problem.severity !== "info";
    });
    // Reversed, so that of several problems at one path the first, which blocks activation, wins.
    return new Map(own.toReversed().map((problem) => [configPathOf(problem) ?? "", problem.message]));
  }, [all, id, isNew]);
  const form: FormContextValue = useMemo(
    () => ({
      scope: id === triggerSource ? { ...scope, evaluate: null } : scope,
      problems,
      configSchema,
      readOnly: false,
      onLeave: () => editor.endGesture(),
      onCode: (insert) => {
        field.current = insert;
      },
      onUndo: () => editor.undo(),
      onRedo: () => editor.redo(),
    }),
    [editor, id, scope, problems, configSchema],
  );
  const pick = useCallback(
    (path: string) => {
      if (field.current !== null) field.current(path);
      else editor.say("Click into a field first, then on a value to insert it there.");
    },
    [editor],
  );
  return { form, pick };
}
