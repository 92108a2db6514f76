// Serializes parameters in OpenAPI's styles: values are percent-encoded, the style's own characters are not.
import { isJsonObject } from "#lib/engine/json.ts";
import { jsonBytes } from "#lib/json/json-bytes.ts";
import type { ParameterStyle } from "#lib/services/model/service.ts";
import { NodeFailure } from "../define.ts";
import { asText } from "../http-request/request.ts";

/** The members of one parameter: a list's, an object's, and those nested in a `deepObject`. */
const membersMax = 1_000;
const levelsMax = 5;
/** The length of one serialized parameter. Few servers accept longer URLs. */
const charactersMax = 65_536;

type Members =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "fields"; readonly fields: readonly (readonly [name: string, value: string])[] };

/** No value of fewer bytes as JSON is refused for its size: a character takes up to six, and members their marks. */
const bytesMax = 6 * charactersMax + 32 * membersMax;

/** Refuses a value that is far too long before anything of it is written. */
function requireFit(name: string, value: unknown): void {
  if (jsonBytes(value, bytesMax) > bytesMax) throw tooLong(name);
}

/** A parameter's members, with each text encoded by `encode`. Omits nulls. */
function membersOf(name: string, value: unknown, encode: (text: string) => string): Members {
  const textOf = (member: unknown) => encode(asText(member) ?? "");
  if (Array.isArray(value)) {
    const items = value.filter((member) => member !== null && member !== undefined);
    requireFew(name, items.length);
    return { kind: "list", items: items.map(textOf) };
  }
  if (!isJsonObject(value)) return { kind: "value", value: textOf(value) };
  const fields = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  requireFew(name, fields.length);
  return { kind: "fields", fields: fields.map(([key, member]) => [encode(key), textOf(member)] as const) };
}

function requireFew(name: string, count: number): void {
  if (count <= membersMax) return;
  const field = `parameters.${name}`;
  throw new NodeFailure("INVALID_CONFIG", `${field}: must have at most ${membersMax} values`, { field });
}

function requireShort(name: string, text: string): string {
  if (text.length <= charactersMax) return text;
  throw tooLong(name);
}

function tooLong(name: string): NodeFailure {
  const field = `parameters.${name}`;
  return new NodeFailure("INVALID_CONFIG", `${field}: takes more than ${charactersMax} characters`, { field });
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
const asJson = (value: unknown) => JSON.stringify(value) ?? "";

const prefixes = { simple: "", label: ".", matrix: ";" } as const;
const separators = { simple: ",", label: ".", matrix: ";" } as const;

/** A path parameter: `simple` (`a,b`), `label` (`.a,b`) or `matrix` (`;name=a,b`). Throws INVALID_CONFIG. */
export function pathText(name: string, value: unknown, style: ParameterStyle): string {
  requireFit(name, value);
  if (style === "json") return requireShort(name, encoded(asJson(value)));
  const { kind, isExploded } = read(style);
  const known = kind === "label" || kind === "matrix" ? kind : "simple";
  const key = encoded(name);
  const members = membersOf(name, value, encoded);
  const separator = isExploded ? separators[known] : ",";
  return requireShort(
    name,
    prefixes[known] + partsOf(members, { key, isMatrix: known === "matrix", isExploded }).join(separator),
  );
}

function partsOf(
  members: Members,
  { key, isMatrix, isExploded }: { readonly key: string; readonly isMatrix: boolean; readonly isExploded: boolean },
): readonly string[] {
  if (members.kind === "fields" && isExploded) return members.fields.map(([name, value]) => `${name}=${value}`);
  if (members.kind === "list" && isExploded && isMatrix) return members.items.map((item) => `${key}=${item}`);
  const plain =
    members.kind === "value" ? [members.value] : members.kind === "list" ? members.items : members.fields.flat();
  if (!isMatrix) return plain;
  const [first = "", ...rest] = plain;
  return plain.length < 2 && first === "" ? [key] : [`${key}=${first}`, ...rest];
}

/** A header parameter: `a,b`, or `name=value` pairs. Headers are not percent-encoded. Throws INVALID_CONFIG. */
export function headerText(name: string, value: unknown, style: ParameterStyle): string {
  requireFit(name, value);
  if (style === "json") return requireShort(name, asJson(value));
  const { isExploded } = read(style);
  const members = membersOf(name, value, (text) => text);
  return requireShort(name, partsOf(members, { key: name, isMatrix: false, isExploded }).join(","));
}

/**
 * A query or cookie parameter as `name=value` pairs, to be joined by `&` or `; `: `form` (`a,b`, or a pair each),
 * `spaceDelimited`, `pipeDelimited` or `deepObject` (`name[key]=value`). Throws INVALID_CONFIG.
 */
export function pairsOf(name: string, value: unknown, style: ParameterStyle): string[] {
  requireFit(name, value);
  const key = encoded(name);
  if (style === "json") return [requireShort(name, `${key}=${encoded(asJson(value))}`)];
  const pairs =
    read(style).kind === "deepObject" && isJsonObject(value) ? deepPairs(name, value) : flatPairs(name, value, style);
  requireShort(name, pairs.join("&"));
  return pairs;
}

const delimiters = { spaceDelimited: "%20", pipeDelimited: "%7C" } as const;

function flatPairs(name: string, value: unknown, style: ParameterStyle): string[] {
  const key = encoded(name);
  const { kind, isExploded } = read(style);
  const members = membersOf(name, value, encoded);
  if (members.kind === "value") return [`${key}=${members.value}`];
  const plain = members.kind === "list" ? members.items : members.fields.flat();
  if (plain.length === 0) return [];
  if (isExploded || kind === "deepObject") {
    return members.kind === "list"
      ? members.items.map((item) => `${key}=${item}`)
      : members.fields.map(([field, member]) => `${field}=${member}`);
  }
  const delimiter = kind === "spaceDelimited" || kind === "pipeDelimited" ? delimiters[kind] : ",";
  return [`${key}=${plain.join(delimiter)}`];
}

/** Names grow with every level, so their characters are counted as they are written. */
function deepPairs(name: string, value: unknown): string[] {
  const pairs: string[] = [];
  let characters = 0;
  const visit = (key: string, at: unknown, level: number): void => {
    if (at === null || at === undefined) return;
    if (typeof at === "object" && level < levelsMax) {
      for (const [inner, member] of Object.entries(at)) visit(`${key}[${inner}]`, member, level + 1);
      return;
    }
    const pair = `${encoded(key)}=${encoded(asText(at) ?? "")}`;
    characters += pair.length;
    pairs.push(pair);
    requireFew(name, pairs.length);
    if (characters > charactersMax) throw tooLong(name);
  };
  visit(name, value, 0);
  return pairs;
}

function read(style: ParameterStyle): { readonly kind: string; readonly isExploded: boolean } {
  return { kind: style.replace("*", ""), isExploded: style.endsWith("*") };
}
