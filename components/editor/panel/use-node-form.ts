import { useCallback, useMemo, useRef } from "react";
import type { FormContextValue } from "#components/form/form-context.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { configPathOf } from "../draft/read-problems.ts";
import { allPlaced } from "../levels/level.ts";
import { useEditor, useEditorState, useIsNew } from "../state/editor-context.ts";
import type { CheckedDraft } from "../state/editor-state.ts";
import { useExpressionScope } from "./data/use-expression-scope.ts";

interface NodeForm {
  readonly form: FormContextValue;
  /** Writes a value's path into the code field that was used last. */
  readonly pick: (path: string) => void;
}

/** A node's config, at any level; the trigger's. */
function configIn({ trigger, nodes }: CheckedDraft, id: string, types: readonly NodeType[]): JsonObject | undefined {
  if (id === triggerSource) return trigger.config;
  return allPlaced(nodes, types).find(({ node }) => node.id === id)?.node.config;
}

/** What a node's form fields need besides their values. `configSchema`: the JSON Schema of its type's config. */
export function useNodeForm(id: string, configSchema?: unknown): NodeForm {
  const editor = useEditor();
  const all = useEditorState((state) => state.problems);
  const isNew = useIsNew(id);
  const scope = useExpressionScope(id);
  const field = useRef<((path: string) => void) | null>(null);
  const checked = useEditorState((state) => state.checked);
  const config = useEditorState((state) => configIn(state.draft, id, editor.types));
  const problems = useMemo(() => {
    const before = checked === null ? undefined : configIn(checked, id, editor.types);
    // Gone before the next check: a message that went later would move the fields below it under the pointer.
    const isFilledSince = (path: string) =>
      before !== undefined && before[path] === undefined && config?.[path] !== undefined;
    const own = all.filter((problem) => {
      const path = problem.nodeId === id ? configPathOf(problem) : null;
      // A hint does not make a field invalid.
      return !isNew && path !== null && problem.severity !== "info" && !isFilledSince(path);
    });
    // Reversed, so that of several problems at one path the first, which blocks activation, wins.
    return new Map(own.toReversed().map((problem) => [configPathOf(problem) ?? "", problem.message]));
  }, [all, id, isNew, checked, config, editor.types]);
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
