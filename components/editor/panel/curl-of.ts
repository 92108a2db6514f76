import { useEditorState } from "#components/editor/state/editor-context.ts";
import { asText } from "#components/form/field-spec.ts";

const bodyCharactersMax = 400;

/** A curl command that calls a trigger with this data. */
export function curlOf(method: string, url: string, data: unknown): string {
  if (method === "GET" || method === "DELETE") return `curl -X ${method} '${url}'`;
  const body = JSON.stringify(data ?? {}).replaceAll("'", "'\\''");
  const shown = body.length > bodyCharactersMax ? "{}" : body;
  return `curl -X ${method} '${url}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${shown}'`;
}

/** The method that the trigger URL accepts now: that of the published version, not of the one being edited. */
export function useCalledMethod(): string {
  const edited = useEditorState((state) => state.draft.trigger);
  const published = useEditorState((state) => state.copy?.publishedTrigger);
  return asText((published?.type === "webhook" ? published : edited).config.method) || "POST";
}
