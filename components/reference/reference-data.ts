import type { JsonObject } from "#lib/engine/json.ts";
import type { Operation } from "./operation.ts";
import { readOperations } from "./read-operations.ts";

const read = new WeakMap<JsonObject, readonly Operation[]>();

/** The operations of a document, read once: it is the same as long as the server runs. */
export function operationsOf(document: JsonObject): readonly Operation[] {
  const known = read.get(document) ?? readOperations(document);
  read.set(document, known);
  return known;
}
