import type { ClipboardEvent } from "react";
import { useEditorState } from "#components/editor/state/editor-context.ts";
import { asText } from "#components/form/field-spec.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import type { Editor } from "../state/editor.ts";
import { type ReadCurl, readCurl } from "./read-curl.ts";

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

/** The request of a curl command pasted into the URL field; null for any other text. */
export function curlPasted(event: ClipboardEvent, schema: unknown): ReadCurl | null {
  const fields = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
  if (!["method", "url", "headers", "body", "bodyType"].every((name) => Object.hasOwn(fields, name))) return null;
  const field = event.target instanceof Element ? event.target.closest("[data-field]") : null;
  if (field?.getAttribute("data-field") !== "url") return null;
  return readCurl(event.clipboardData.getData("text/plain"));
}

/** Says which parts of a command its request does not cover. */
export function sayWhatIsLeft(editor: Pick<Editor, "say">, { left }: ReadCurl): void {
  if (left.length > 0) editor.say(`The command is filled in, without: ${left.join("; ")}.`);
}
