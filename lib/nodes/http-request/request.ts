import { jsonBytes } from "#lib/json/json-bytes.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { yieldTurn } from "#lib/platform/turns.ts";

/** The URL with the query's values added; lists repeat their name, null omits it. */
export function requestUrl(text: string, query: Readonly<Record<string, unknown>>): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new NodeFailure("BAD_URL", "The URL must be complete and start with http:// or https://", {
      field: "url",
    });
  }
  addPairs(url, pairsOf(query));
  return url;
}

/** Far more than servers accept. */
const queryCharactersMax = 262_144;

function pairsOf(query: Readonly<Record<string, unknown>>): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  let left = queryCharactersMax;
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      const text = asText(item);
      if (text === undefined) continue;
      left -= name.length + text.length + 2;
      if (left < 0) {
        const message = `query: takes more than ${queryCharactersMax} characters`;
        throw new NodeFailure("INVALID_CONFIG", message, { field: "query" });
      }
      pairs.push([name, text]);
    }
  }
  return pairs;
}

export function addToQuery(url: URL, name: string, value: string | undefined): void {
  if (value !== undefined) addPairs(url, [[name, value]]);
}

/**
 * Appends as text: changing `searchParams` would rewrite the existing query, which breaks signed URLs. All at once:
 * each change parses the whole query again.
 */
function addPairs(url: URL, pairs: [name: string, value: string][]): void {
  if (pairs.length === 0) return;
  const added = new URLSearchParams(pairs).toString();
  url.search = url.search === "" ? added : `${url.search}&${added}`;
}

/** The URL for display: queries often contain keys. */
export function shownUrl(url: URL): string {
  return url.origin + url.pathname;
}

/** Far more than fits into a URL or a header. */
const objectBytesMax = 1_048_576;

/** A value as text; undefined for null, which omits the name. Throws NodeFailure for a very large object. */
export function asText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== "object") return String(value);
  if (jsonBytes(value, objectBytesMax) <= objectBytesMax) return JSON.stringify(value);
  throw new NodeFailure("INVALID_CONFIG", "An object in a URL or a header takes more than 1 MiB as JSON");
}

/** The same for a form, which may be large. */
export async function asFormText(value: unknown): Promise<string | undefined> {
  return typeof value === "object" && value !== null ? await jsonInTurns(value) : asText(value);
}

/** `multipart` and `file` are streamed. */
export const bodyTypes = ["json", "form", "text", "multipart", "file"] as const;
type BodyType = Exclude<(typeof bodyTypes)[number], "multipart" | "file">;

const contentTypes: Readonly<Record<BodyType, string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain; charset=utf-8",
};

export interface RequestBody {
  readonly text: string;
  /** Sent unless the flow sets its own. */
  readonly contentType: string;
}

/** The body as sent; undefined for none. A string is sent unchanged, whatever its type. */
export async function requestBody(body: unknown, type: BodyType | undefined): Promise<RequestBody | undefined> {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string") return { text: body, contentType: contentTypes[type ?? "text"] };
  const contentType = contentTypes[type ?? "json"];
  if (type === "form" && typeof body === "object") return { text: await formText(body), contentType };
  return { text: await jsonInTurns(body), contentType };
}

async function formText(body: object): Promise<string> {
  const pairs: string[] = [];
  for (const [name, item] of formFields(body)) {
    const text = await asFormText(item);
    if (text !== undefined) pairs.push(`${await formEncoded(name)}=${await formEncoded(text)}`);
  }
  return pairs.join("&");
}

/** Characters to encode before yielding. */
const encodedAtOnce = 65_536;

async function formEncoded(text: string): Promise<string> {
  let encoded = "";
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = at + encodedAtOnce;
    // Not between the halves of a character.
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end += 1;
    encoded += new URLSearchParams([["", text.slice(at, end)]]).toString().slice("=".length);
    await yieldTurn();
  }
  return encoded;
}

/** Far more than servers accept. */
const formFieldsMax = 10_000;

/** A form's fields; lists repeat their name. Throws NodeFailure for too many. */
export function* formFields(body: object): Generator<[name: string, item: unknown]> {
  let count = 0;
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      count += 1;
      if (count > formFieldsMax) {
        const message = `body: a form must have at most ${formFieldsMax} fields`;
        throw new NodeFailure("INVALID_CONFIG", message, { field: "body" });
      }
      yield [name, item];
    }
  }
}
