import type { OperationMethod } from "#lib/services/model/service.ts";
import type { StoredOperation, StoredSchema } from "#lib/services/model/stored.ts";
import { documentLimits, type ImportedService, UnreadableDocument } from "./imported.ts";
import { answerOf, bodyOf } from "./operation-body.ts";
import { type Document, type Found, isObject, textOf } from "./references.ts";
import { isName, simpleSchema } from "./simple-schema.ts";

const methods = ["get", "post", "put", "patch", "delete", "head"] as const;
/** Headers that the request writes by itself. */
const ownHeaders = new Set(["accept", "content-type", "authorization"]);
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const skippedMax = 100;

/** The document's operations in their order. Throws UnreadableDocument. */
export function operationsOf(document: Document): Pick<ImportedService, "operations" | "skipped"> {
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
      const made = operationOf(document, { path, method, item, found }, ids);
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
}

/** An operation, or why it cannot be called. */
function operationOf(document: Document, given: Given, ids: Set<string>): StoredOperation | string {
  const { path, method, item, found } = given;
  if (!/^\/[^?#\s]*$/.test(path) || path.length > 1_000 || !isName(path)) return "its path is not valid";
  const { schema, headers } = parametersOf(document, [item.parameters, found.parameters]);
  const inPath = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
  if (inPath.some((name) => !Object.hasOwn(schema.properties, name))) return "its path has a name that is no parameter";
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
    parameters:
      Object.keys(schema.properties).length === 0
        ? null
        : { ...schema, required: [...new Set([...schema.required, ...inPath])] },
    headers,
    ...bodyOf(document, found.requestBody),
    ...answerOf(document, found.responses),
  };
  return fitting(operation);
}

/** Without what makes it too large to store; a sentence if nothing helps. */
function fitting(operation: StoredOperation): StoredOperation | string {
  const fits = (one: StoredOperation) => Buffer.byteLength(JSON.stringify(one)) <= documentLimits.operationBytes;
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

/** The parameters of a path and of an operation, whose own go before. */
function parametersOf(document: Document, lists: readonly unknown[]): { schema: StoredSchema; headers: string[] } {
  const properties: Record<string, unknown> = {};
  const required = new Set<string>();
  const headers = new Set<string>();
  for (const one of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    document.step();
    const found = document.meant(one);
    const name = found?.name;
    if (found === null || typeof name !== "string" || !isName(name)) continue;
    const place = found.in;
    if (place === "header" && (ownHeaders.has(name.toLowerCase()) || !headerName.test(name))) continue;
    if (place !== "path" && place !== "query" && place !== "header") continue;
    if (place === "header") headers.add(name);
    if (found.required === true) required.add(name);
    const described = textOf(found.description, 500);
    const schema = simpleSchema(document, schemaIn(document, found));
    properties[name] = { ...schema, title: name, ...(described === "" ? {} : { description: described }) };
  }
  return { schema: { type: "object", properties, required: [...required] }, headers: [...headers] };
}

function schemaIn(document: Document, parameter: Found): unknown {
  if (parameter.schema !== undefined) return parameter.schema;
  const [media] = isObject(parameter.content) ? Object.values(parameter.content) : [];
  return document.meant(media)?.schema;
}

/** An id of letters, digits and a few signs that no other operation has: the document's own where it is one. */
function freshId(given: string, otherwise: string, ids: Set<string>): string {
  const plain = (text: string) =>
    text
      .replace(/[^A-Za-z0-9_.-]+/g, "-")
      .replace(/^[-.]+|[-.]+$/g, "")
      .slice(0, 100);
  const wanted = plain(given) || plain(otherwise) || "operation";
  let id = wanted;
  for (let count = 2; ids.has(id); count += 1) id = `${wanted}-${count}`;
  ids.add(id);
  return id;
}
