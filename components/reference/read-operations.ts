import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import type { Access, Answer, Content, Operation, Parameter } from "./operation.ts";

const methods = ["get", "post", "put", "patch", "delete"];

/** The operations of an OpenAPI document, grouped by tag in the document's order; and the events that it sends. */
export function readOperations(document: JsonObject): Operation[] {
  const calls = Object.entries(object(document.paths)).flatMap(([path, item]) =>
    readItem(document, path, object(item)),
  );
  const events = Object.values(object(document.webhooks)).flatMap((item) =>
    readItem(document, "your address", object(item)).map((event) => ({ ...event, isEvent: true })),
  );
  const all = [...calls, ...events];
  const tags = [...new Set(all.map(({ tag }) => tag))];
  return tags.flatMap((tag) => all.filter((operation) => operation.tag === tag));
}

function readItem(document: JsonObject, path: string, item: JsonObject): Operation[] {
  return methods.flatMap((method) => {
    const described = item[method];
    return isJsonObject(described) ? [readOperation(document, method, path, item, described)] : [];
  });
}

/** The API's URL: the prefix of its paths. */
export function baseOf(holder: JsonObject): string {
  return text(object(list(holder.servers)[0]).url);
}

function readOperation(
  document: JsonObject,
  method: string,
  path: string,
  item: JsonObject,
  described: JsonObject,
): Operation {
  const requestBody = object(described.requestBody);
  return {
    id: text(described.operationId),
    method: method.toUpperCase(),
    path,
    isEvent: false,
    base: baseOf(described) || baseOf(item) || baseOf(document),
    tag: text(list(described.tags)[0]),
    summary: text(described.summary),
    description: text(described.description),
    access: readAccess(list(described.security)),
    parameters: list(described.parameters).map(readParameter),
    body: readContent(requestBody),
    isBodyRequired: requestBody.required === true,
    answers: Object.entries(object(described.responses)).map(([status, answer]) =>
      readAnswer(status, resolve(document, answer)),
    ),
  };
}

function readAccess(security: readonly Json[]): Access {
  const scopesOf = (scheme: string) =>
    security.flatMap((requirement) =>
      isJsonObject(requirement) && scheme in requirement ? [list(requirement[scheme]).map(text)] : [],
    )[0];
  const [forKeys, forSessions] = [scopesOf("apiKey"), scopesOf("session")];
  return {
    isOpen: security.length === 0,
    takesKeys: forKeys !== undefined,
    takesSessions: forSessions !== undefined,
    scopes: forKeys ?? forSessions ?? [],
  };
}

function readParameter(given: Json): Parameter {
  const { name, in: place, required, description, schema, example } = object(given);
  const shown = example ?? list(object(schema).examples)[0];
  return {
    name: text(name),
    in: place === "path" || place === "header" ? place : "query",
    isRequired: required === true,
    description: text(description),
    schema: object(schema),
    example: typeof shown === "string" ? shown : undefined,
  };
}

function readAnswer(status: string, answer: JsonObject): Answer {
  const content = readContent(answer);
  const failure = object(object(object(content?.schema.properties).error).properties);
  return {
    status,
    description: text(answer.description),
    headers: Object.entries(object(answer.headers)).map(([name, header]) => ({
      name,
      description: text(object(header).description),
    })),
    content,
    codes: status >= "400" ? list(object(failure.code).enum).map(text) : [],
  };
}

/** A body's JSON content, or its first content if it has no JSON. */
function readContent(holder: JsonObject): Content | null {
  const contents = Object.entries(object(holder.content));
  const [type, content] = contents.find(([name]) => name === "application/json") ?? contents[0] ?? [];
  if (type === undefined) return null;
  const { schema, example } = object(content);
  return { type, schema: object(schema), example };
}

/** Resolves a reference such as `#/components/responses/Error404`; returns anything else as it is. */
export function resolve(document: JsonObject, value: Json | undefined): JsonObject {
  const { $ref } = object(value);
  if (typeof $ref !== "string") return object(value);
  return object(
    $ref
      .slice(2)
      .split("/")
      .reduce<Json>((at, step) => object(at)[step] ?? null, document),
  );
}

function object(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

const read = new WeakMap<JsonObject, readonly Operation[]>();

/** The operations of a document, parsed once: it does not change while the server runs. */
export function operationsOf(document: JsonObject): readonly Operation[] {
  const known = read.get(document) ?? readOperations(document);
  read.set(document, known);
  return known;
}
