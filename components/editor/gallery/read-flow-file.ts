import type { z } from "zod";
import { charactersMax, isFlowText } from "#components/editor/imported/offer-import.ts";
import { ApiError } from "#lib/contract/client.ts";
import { exportVersion, type importFlow } from "#lib/contract/flows/flow-copies.ts";
import { isJsonObject } from "#lib/engine/json.ts";

type Body = z.input<(typeof importFlow)["body"]>;
type Document = NonNullable<Body["data"]>;

/**
 * Reads a file to import: an export as JSON or YAML, a `POST /flows` body, or a workflow of n8n. Throws an Error with a
 * message for people.
 */
export async function readFlowFile(file: File): Promise<Body> {
  const text = await readText(file);
  if (isFlowText(text)) return { text };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    const what = text.trimStart().startsWith("{") ? "not valid JSON" : "neither JSON nor the YAML of a flow";
    throw new FlowFileError(`${file.name} is ${what}`);
  }
  if (isFlowDocument(document)) return { data: document };
  if (isPlainFlow(document)) return { data: { version: exportVersion, flow: document } };
  if (isWorkflow(document)) return { format: "n8n", document };
  throw new FlowFileError(`${file.name} is not a flow`);
}

/** A file's text. Throws an Error with a message for people, before it reads what is too large to be a flow. */
export async function readText(file: File): Promise<string> {
  if (file.size > charactersMax) throw new FlowFileError(`${file.name} is too large to be a flow`);
  return await file.text().catch(() => {
    throw new FlowFileError(`${file.name} cannot be read`);
  });
}

/** A file that does not contain a flow. */
export class FlowFileError extends ApiError {
  constructor(message: string) {
    super(0, "FLOW_FILE", message, {}, null);
  }
}

function isFlowDocument(value: unknown): value is Document {
  return isJsonObject(value) && typeof value.version === "string" && isJsonObject(value.flow);
}

/** A workflow of n8n, or nodes copied in its editor. */
function isWorkflow(value: unknown): value is { readonly nodes: unknown[] } {
  return isJsonObject(value) && Array.isArray(value.nodes) && isJsonObject(value.connections);
}

/** The API reports everything else. */
function isPlainFlow(value: unknown): value is Document["flow"] {
  return isJsonObject(value) && isJsonObject(value.trigger) && Array.isArray(value.nodes);
}
