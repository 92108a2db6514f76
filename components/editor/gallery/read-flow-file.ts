import type { z } from "zod";
import type { importFlow } from "#lib/contract/flow-copies.ts";
import { isJsonObject } from "#lib/engine/json.ts";

type Document = z.input<(typeof importFlow)["body"]>["data"];

/** Reads an exported flow from a file. Throws Error, in words for people. */
export async function readFlowFile(file: File): Promise<Document> {
  let document: unknown;
  try {
    document = JSON.parse(await file.text());
  } catch {
    throw new FlowFileError(`${file.name} is not JSON`);
  }
  if (!isFlowDocument(document)) throw new FlowFileError(`${file.name} is not an exported flow`);
  return document;
}

/** A file that holds no flow. */
export class FlowFileError extends Error {
  override readonly name = "FlowFileError";
}

function isFlowDocument(value: unknown): value is Document {
  return isJsonObject(value) && typeof value.version === "string" && isJsonObject(value.flow);
}
