import type { ClipboardEvent } from "react";
import { isJsonObject } from "#lib/engine/json.ts";
import type { Editor } from "../state/editor.ts";
import { type ReadCurl, readCurl } from "./read-curl.ts";

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
