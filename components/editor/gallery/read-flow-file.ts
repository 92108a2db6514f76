import type { z } from "zod";
import { exportVersion, type importFlow } from "#lib/contract/flows/flow-copies.ts";
import { isJsonObject } from "#lib/engine/json.ts";

type Document = z.input<(typeof importFlow)["body"]>["data"];

/** Reads a flow from a file: an export, or a `POST /flows` body. Throws an Error with a message for people. */
export async function readFlowFile(file: File): Promise<Document> {
  let document: unknown;
  try {
    document = JSON.parse(await file.text());
  } catch {
    throw new FlowFileError(`${file.name} is not JSON`);
  }
  if (isFlowDocument(document)) return document;
  if (isPlainFlow(document)) return { version: exportVersion, flow: document };
  throw new FlowFileError(`${file.name} is not a flow`);
}

/** A file that does not contain a flow. */
export class FlowFileError extends Error {
  override readonly name = "FlowFileError";
}

function isFlowDocument(value: unknown): value is Document {
  return isJsonObject(value) && typeof value.version === "string" && isJsonObject(value.flow);
}

/** The API reports everything else. */
function isPlainFlow(value: unknown): value is Document["flow"] {
  return isJsonObject(value) && isJsonObject(value.trigger) && Array.isArray(value.nodes);
}
