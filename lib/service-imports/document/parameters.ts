import type { OperationBody, ParameterStyle } from "#lib/services/model/service.ts";
import type { StoredOperation, StoredSchema } from "#lib/services/model/stored.ts";
import { type Document, type Found, isObject, textOf } from "./references.ts";
import { isName, requiredOf, simpleSchema } from "./simple-schema.ts";

/** Headers that the request sets itself. */
const ownHeaders = new Set(["accept", "content-type", "authorization", "cookie"]);
/** A valid name of a header or cookie. */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

/** The styles of each location, the default first. */
const styles = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
} as const;

type Place = keyof typeof styles;

type Placed = Pick<StoredOperation, "headers" | "cookies" | "styles">;

/** The parameters of a path and of an operation; the operation's own win. */
export function parametersOf(
  document: Document,
  lists: readonly unknown[],
): Placed & { readonly schema: StoredSchema } {
  const properties: Record<string, unknown> = {};
  const required = new Set<string>();
  const places = new Map<string, Place>();
  const written: Record<string, ParameterStyle> = {};
  for (const parameter of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    document.step();
    const found = document.meant(parameter);
    const name = found?.name;
    if (found === null || typeof name !== "string" || !isName(name)) continue;
    const place = Object.keys(styles).find((known) => known === found.in) as Place | undefined;
    if (place === undefined) continue;
    if (place === "header" && (ownHeaders.has(name.toLowerCase()) || !token.test(name))) continue;
    if (place === "cookie" && !token.test(name)) continue;
    places.set(name, place);
    if (found.required === true) required.add(name);
    const described = textOf(found.description, 500);
    const schema = simpleSchema(document, schemaIn(document, found));
    properties[name] = { ...schema, title: name, ...(described === "" ? {} : { description: described }) };
    const style = styleOf(place, found, schema);
    if (style === null) delete written[name];
    else written[name] = style;
  }
  const namesIn = (place: Place) => [...places].filter(([, location]) => location === place).map(([name]) => name);
  const cookies = namesIn("cookie");
  return {
    schema: { type: "object", properties, required: [...required] },
    headers: namesIn("header"),
    ...(cookies.length === 0 ? {} : { cookies }),
    ...(Object.keys(written).length === 0 ? {} : { styles: written }),
  };
}

function schemaIn(document: Document, parameter: Found): unknown {
  if (parameter.schema !== undefined) return parameter.schema;
  const [media] = isObject(parameter.content) ? Object.values(parameter.content) : [];
  return document.meant(media)?.schema;
}

const scalars: readonly unknown[] = ["string", "number", "integer", "boolean"];

/** How a parameter is serialized; null if every style gives the same text. */
function styleOf(place: Place, found: Found, { type, items }: Record<string, unknown>): ParameterStyle | null {
  if (found.schema === undefined && isObject(found.content)) return "json";
  const [usual, ...others] = styles[place];
  const style = others.find((candidate) => candidate === found.style) ?? usual;
  const isExploded = typeof found.explode === "boolean" ? found.explode : style === "form";
  if (style === usual && scalars.includes(type)) return null;
  // A list of plain values in a query repeats its name by default.
  const isPlainList = type === "array" && isObject(items) && scalars.includes(items.type);
  if (place === "query" && style === "form" && isExploded && isPlainList) return null;
  return isExploded && style !== "deepObject" ? `${style}*` : style;
}

type Body = Pick<StoredOperation, "body" | "isWhole" | "bodyType" | "contentType">;

const none: Body = { body: null, isWhole: false, bodyType: "json", contentType: null };
const isJson = (type: string) => /^(application|text)\/([\w.+-]*\+)?json$/.test(type);
/** A type is sent in a header: an invalid one would break the request, or start another header. */
const isMediaType = (type: string) => type.length <= 100 && /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/.test(type);
const plainType = (type: string) => (type.split(";")[0] ?? "").trim().toLowerCase();

const bodyKinds: readonly (readonly [fits: (type: string) => boolean, bodyType: OperationBody])[] = [
  [isJson, "json"],
  [(type) => type === "application/x-www-form-urlencoded", "form"],
  [(type) => type === "multipart/form-data", "multipart"],
  [(type) => type === "*/*", "json"],
  [(type) => type.startsWith("text/") || /\bxml$/.test(type), "text"],
  [() => true, "file"],
];

/** An operation's body, in the best supported of its media types. */
export function bodyOf(document: Document, given: unknown): Body {
  const request = document.meant(given);
  const content = request === null ? null : document.meant(request.content);
  if (request === null || content === null) return none;
  const types = Object.keys(content).filter((type) => isMediaType(plainType(type)));
  for (const [fits, bodyType] of bodyKinds) {
    const type = types.find((candidate) => fits(plainType(candidate)));
    if (type === undefined) continue;
    const isUsual =
      bodyType !== "text" && (bodyType !== "json" || ["application/json", "*/*"].includes(plainType(type)));
    const contentType = isUsual ? null : plainType(type);
    const media = document.meant(content[type]) ?? {};
    return { ...schemaOf(document, media, bodyType, request.required === true), bodyType, contentType };
  }
  return none;
}

function schemaOf(document: Document, media: Found, bodyType: OperationBody, isRequired: boolean) {
  const schema = simpleSchema(document, media.schema);
  const isWhole = bodyType === "file" || bodyType === "text" || !isObject(schema.properties);
  if (!isWhole) return { body: objectOf(schema), isWhole };
  const value = bodyType === "json" ? schema : { title: bodyType === "file" ? "File" : "Text" };
  const body: StoredSchema = {
    type: "object",
    properties: { value: { title: "Body", ...value } },
    required: isRequired ? ["value"] : [],
  };
  return { body, isWhole };
}

function objectOf(schema: Found): StoredSchema {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return { type: "object", properties, required: requiredOf(schema).filter(isName) };
}

/** An operation's successful answer: a schema, or a file. */
export function answerOf(document: Document, given: unknown): Pick<StoredOperation, "answer" | "answersFile"> {
  const answers = document.meant(given) ?? {};
  const status = Object.keys(answers).find((code) => /^2(\d\d|XX)$/i.test(code)) ?? "default";
  const content = document.meant(document.meant(answers[status])?.content) ?? {};
  const types = Object.keys(content);
  const type = types.find((candidate) => isJson(plainType(candidate)));
  if (type !== undefined) {
    return { answer: simpleSchema(document, document.meant(content[type])?.schema), answersFile: false };
  }
  const isBinary = (mediaType: string) =>
    /^(image|audio|video)\/|^application\/(octet-stream|pdf|zip|gzip)$/.test(plainType(mediaType));
  return { answer: null, answersFile: types.length > 0 && types.every(isBinary) };
}
