import type { OperationBody } from "#lib/services/model/service.ts";
import type { StoredOperation, StoredSchema } from "#lib/services/model/stored.ts";
import { type Document, type Found, isObject } from "./references.ts";
import { isName, requiredOf, simpleSchema } from "./simple-schema.ts";

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
