import type { OperationMethod } from "#lib/services/model/service.ts";
import type { StoredOperation, StoredSchema } from "#lib/services/model/stored.ts";
import { documentLimits, type ImportedService, UnreadableDocument } from "./imported.ts";
import { answerOf, bodyOf, parametersOf } from "./parameters.ts";
import { type Document, type Found, textOf } from "./references.ts";
import { type FoundServer, operationServer, serverOf } from "./servers.ts";
import { isName } from "./simple-schema.ts";

const methods = ["get", "post", "put", "patch", "delete", "head"] as const;
const skippedMax = 100;

/** The default server of a document's operations. `from`: the base for relative URLs. */
interface Place {
  readonly server: FoundServer | null;
  readonly from: string | null;
}

/** The document's operations, in order. Throws UnreadableDocument. */
export function operationsOf(document: Document, place: Place): Pick<ImportedService, "operations" | "skipped"> {
  const paths = document.meant(document.root.paths);
  if (paths === null) throw new UnreadableDocument("has no paths: there is nothing to call");
  const operations: StoredOperation[] = [];
  const skipped: { operation: string; reason: string }[] = [];
  const ids = new Set<string>();
  for (const [path, given] of Object.entries(paths)) {
    const item = document.meant(given);
    if (item === null || path.startsWith("x-")) continue;
    for (const method of methods) {
      const found = document.meant(item[method]);
      if (found === null) continue;
      const made = operationOf(document, { path, method, item, found, place }, ids);
      if (typeof made !== "string") operations.push(made);
      else if (skipped.length < skippedMax) {
        skipped.push({ operation: `${method.toUpperCase()} ${textOf(path, 200)}`, reason: made });
      }
      if (operations.length > documentLimits.operations) {
        throw new UnreadableDocument(`has more than ${documentLimits.operations} operations`);
      }
    }
  }
  if (operations.length === 0) throw new UnreadableDocument("has no operation that can be called");
  return { operations, skipped };
}

interface Given {
  readonly path: string;
  readonly method: (typeof methods)[number];
  readonly item: Found;
  readonly found: Found;
  readonly place: Place;
}

/** An operation, or why it cannot be called. */
function operationOf(document: Document, given: Given, ids: Set<string>): StoredOperation | string {
  const { path, method, item, found } = given;
  if (!/^\/[^?#\s]*$/.test(path) || path.length > 1_000 || !isName(path)) return "its path is not valid";
  const { schema, ...placed } = parametersOf(document, [item.parameters, found.parameters]);
  const inPath = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
  if (inPath.some((name) => !Object.hasOwn(schema.properties, name))) return "its path has a name that is no parameter";
  const server = serverAt(document, given);
  if (typeof server === "string") return server;
  const id = freshId(textOf(found.operationId, 200), `${method} ${path}`, ids);
  const name =
    textOf(found.summary, 120) || textOf(found.operationId, 120) || `${method.toUpperCase()} ${path}`.slice(0, 120);
  const tags = Array.isArray(found.tags) ? found.tags : [];
  const operation: StoredOperation = {
    id,
    name,
    description: textOf(found.description, 1_000),
    group: textOf(tags[0], 100),
    method: method.toUpperCase() as OperationMethod,
    path,
    ...withServer({ ...schema, required: [...new Set([...schema.required, ...inPath])] }, server),
    ...placed,
    ...bodyOf(document, found.requestBody),
    ...answerOf(document, found.responses),
  };
  return fitToLimits(operation);
}

/**
 * The server of an operation or its path, or the document's if it has variables; null for the service's own URL. A
 * reason if the operation's own server cannot be called: the service's URL would be wrong.
 */
function serverAt(document: Document, { item, found, place }: Given): FoundServer | string | null {
  for (const servers of [found.servers, item.servers]) {
    if (!Array.isArray(servers) || servers.length === 0) continue;
    return serverOf(document, servers, place.from) ?? "its server has no address that can be called";
  }
  return place.server !== null && Object.keys(place.server.variables).length > 0 ? place.server : null;
}

function withServer(schema: StoredSchema, found: FoundServer | null): Pick<StoredOperation, "parameters" | "server"> {
  const own = found === null ? null : operationServer(found, new Set(Object.keys(schema.properties)));
  const properties = { ...schema.properties, ...own?.properties };
  const parameters = Object.keys(properties).length === 0 ? null : { ...schema, properties };
  return own === null ? { parameters } : { parameters, server: own.server };
}

/** The operation, without large schemas if it is too large to store; a reason if it is still too large. */
function fitToLimits(operation: StoredOperation): StoredOperation | string {
  const fits = (operation: StoredOperation) =>
    Buffer.byteLength(JSON.stringify(operation)) <= documentLimits.operationBytes;
  if (fits(operation)) return operation;
  const unanswered = { ...operation, answer: null };
  if (fits(unanswered)) return unanswered;
  const { parameters, body } = operation;
  const bare = { ...unanswered, parameters: withoutSchemas(parameters), body: withoutSchemas(body) };
  return fits(bare) ? bare : `it takes more than ${documentLimits.operationBytes} bytes to describe`;
}

function withoutSchemas(schema: StoredSchema | null): StoredSchema | null {
  if (schema === null) return null;
  return { ...schema, properties: Object.fromEntries(Object.keys(schema.properties).map((name) => [name, {}])) };
}

/** A unique id of letters, digits and a few other characters: the document's own if valid. */
function freshId(given: string, otherwise: string, ids: Set<string>): string {
  const plain = (text: string) =>
    text
      .replace(/[^A-Za-z0-9_.-]+/g, "-")
      .replace(/^[-.]+|[-.]+$/g, "")
      .slice(0, 100);
  const baseId = plain(given) || plain(otherwise) || "operation";
  let id = baseId;
  for (let count = 2; ids.has(id); count += 1) id = `${baseId}-${count}`;
  ids.add(id);
  return id;
}
