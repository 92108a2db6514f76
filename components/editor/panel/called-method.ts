import { useEditorState } from "#components/editor/state/editor-context.ts";
import { asText } from "#components/form/field-spec.ts";

/** The method that the trigger URL answers to now: what is published decides, not what is being edited. */
export function useCalledMethod(): string {
  const edited = useEditorState((state) => state.draft.trigger);
  const published = useEditorState((state) => state.copy?.publishedTrigger);
  return asText((published?.type === "webhook" ? published : edited).config.method) || "POST";
}
