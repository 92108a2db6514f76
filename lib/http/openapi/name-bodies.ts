import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";

const mediaType = "application/json";

/**
 * Gives every body of a request or a success a named schema: code generators turn each into a type, and name anonymous
 * ones by position (`inline_response_200_14`).
 */
export function nameBodies(document: JsonObject): JsonObject {
  const { paths, components } = document;
  if (!isJsonObject(paths) || !isJsonObject(components)) return document;
  const schemas: Record<string, Json> = { ...(isJsonObject(components.schemas) ? components.schemas : {}) };
  const named = mapObject(paths, (item) =>
    mapObject(item, (operation) => (isJsonObject(operation) ? nameOfOperation(operation, schemas) : operation)),
  );
  return { ...document, paths: named, components: { ...components, schemas } };
}

function nameOfOperation(operation: JsonObject, schemas: Record<string, Json>): Json {
  const { operationId, requestBody, responses } = operation;
  if (typeof operationId !== "string") return operation;
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  const answers =
    isJsonObject(responses) &&
    Object.fromEntries(
      Object.entries(responses).map(([status, answer]) => [
        status,
        status.startsWith("2") ? withNamed(answer, `${name}Answer`, status, schemas) : answer,
      ]),
    );
  return {
    ...operation,
    ...(requestBody === undefined ? {} : { requestBody: withNamed(requestBody, `${name}Body`, "", schemas) }),
    ...(answers === false ? {} : { responses: answers }),
  };
}

/** Statuses with the same answer share a name. */
function withNamed(body: Json, preferredName: string, status: string, schemas: Record<string, Json>): Json {
  if (!isJsonObject(body) || !isJsonObject(body.content)) return body;
  const media = body.content[mediaType];
  if (!isJsonObject(media) || !isJsonObject(media.schema) || !hasShape(media.schema)) return body;
  const isTaken = preferredName in schemas && JSON.stringify(schemas[preferredName]) !== JSON.stringify(media.schema);
  const name = isTaken ? `${preferredName}${status}` : preferredName;
  schemas[name] = media.schema;
  const named = { ...media, schema: { $ref: `#/components/schemas/${name}` } };
  return { ...body, content: { ...body.content, [mediaType]: named } };
}

/** References already have names, and unconstrained bodies need none. */
function hasShape(schema: JsonObject): boolean {
  return "properties" in schema || "oneOf" in schema || "anyOf" in schema || "allOf" in schema;
}

function mapObject(value: Json, change: (child: Json) => Json): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, change(child)]));
}
