import { sayFailure } from "#components/page/failure-notice.tsx";
import { ApiError } from "#lib/contract/client.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import type { EditorSession } from "../state/editor-session.ts";

/** The maximum that is checked: the API would refuse a longer document anyway. */
export const charactersMax = 4 * 1_048_576;

/** A workflow of n8n, or nodes copied in its editor; null for any other text. */
function workflowIn(text: string): JsonObject | null {
  if (text.length > charactersMax || !text.includes('"connections"')) return null;
  try {
    const document: unknown = JSON.parse(text);
    return isJsonObject(document) && Array.isArray(document.nodes) && isJsonObject(document.connections)
      ? document
      : null;
  } catch {
    return null;
  }
}

/** Offers to import a pasted or dropped flow, or workflow of n8n, as a flow of its own. False for any other text. */
export function offerImport({ api, editor, autosave }: EditorSession, text: string): boolean {
  const isFlow = text.length <= charactersMax && isFlowText(text);
  const document = isFlow ? null : workflowIn(text);
  if (!isFlow && document === null) return false;
  const body = document === null ? { text } : { format: "n8n" as const, document };
  const path = (id: string) => (document === null ? `/flows/${id}` : `/flows/${id}?report`);
  const run = async () => {
    try {
      const { id } = await api.call("importFlow", { body });
      await autosave.flush();
      window.location.assign(path(id));
    } catch (error) {
      editor.say(`${isFlow ? "The flow" : "The workflow"} was not imported. ${explainImport(error)}`, {
        tone: "problem",
      });
    }
  };
  editor.say(`This is ${isFlow ? "a flow as YAML" : "an n8n workflow"}. It becomes a new flow.`, {
    action: { label: "Import it", run: () => void run() },
  });
  return true;
}

const shownMax = 5;

/** Why a flow could not be imported; problems of a text with their lines. */
export function explainImport(error: unknown): string {
  const entries = error instanceof ApiError && error.code === "VALIDATION_ERROR" ? Object.entries(error.details) : [];
  const placed = entries.filter(([place]) => place.startsWith("line "));
  if (placed.length === 0) return sayFailure(error);
  const lines = placed
    .slice(0, shownMax)
    .map(([place, message]) => `Line ${/\d+/.exec(place)?.[0]}: ${String(message)}.`);
  const more = placed.length - lines.length;
  return [...lines, ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
}

/** Whether a text's lines look like a flow as YAML; the API parses it. */
export function isFlowText(text: string): boolean {
  return /^(trigger|nodes):/m.test(text) && !text.trimStart().startsWith("{");
}
