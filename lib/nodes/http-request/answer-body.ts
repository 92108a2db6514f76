/** Types besides `text/*` whose bodies are text. */
const textTypes = new Set([
  "application/javascript",
  "application/ecmascript",
  "application/xml",
  "application/yaml",
  "application/x-yaml",
  "application/toml",
  "application/graphql",
  "application/sql",
  "application/x-www-form-urlencoded",
  "application/x-ndjson",
  "application/ndjson",
  "application/jsonl",
  "application/json-seq",
]);

/**
 * An answer's body as JSON can hold it: null when empty, parsed when it is JSON, a string when it is text, and base64
 * for everything else. Without a content type it is text if it can be. JSON that does not parse stays text.
 */
export function answerBody(contentType: string | undefined, body: Buffer): unknown {
  if (body.length === 0) return null;
  const { type, charset } = parseContentType(contentType);
  if (type === "application/json" || type === "text/json" || type.endsWith("+json")) {
    const text = decode(body, charset);
    return parsed(text);
  }
  if (isText(type)) return decode(body, charset);
  return type === "" ? (strictUtf8(body) ?? body.toString("base64")) : body.toString("base64");
}

/** A body as text to quote from, whatever it is said to be. */
export function quotableText(contentType: string | undefined, body: Buffer): string {
  const { type, charset } = parseContentType(contentType);
  const quotable = type === "" || type.includes("json") || isText(type);
  return quotable ? decode(body, charset) : "";
}

function isText(type: string): boolean {
  return type.startsWith("text/") || type.endsWith("+xml") || type.endsWith("+yaml") || textTypes.has(type);
}

function parseContentType(text = ""): { type: string; charset: string } {
  const [type = "", ...parameters] = text.split(";");
  const charset = parameters.map((part) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(part)?.[1]).find(Boolean);
  return { type: type.trim().toLowerCase(), charset: charset ?? "utf-8" };
}

function decode(body: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    // A charset that nobody knows: most text is UTF-8.
    return new TextDecoder().decode(body);
  }
}

function strictUtf8(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
