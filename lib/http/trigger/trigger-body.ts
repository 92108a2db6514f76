import { parse as parseForm } from "node:querystring";
import { decodeUtf8, invalidBody, parseJson } from "#lib/http/read-body.ts";

/**
 * The body of a call to a trigger URL, as `$trigger.body`. The content type alone decides how it is read: JSON, form
 * and text are parsed, everything else is base64. Throws VALIDATION_ERROR.
 */
export function triggerBody(bytes: Buffer, contentType: string | null): unknown {
  const type = (contentType ?? "application/json").split(";")[0]?.trim().toLowerCase() ?? "";
  if (/^application\/([\w.-]+\+)?json$/.test(type)) return bytes.length === 0 ? {} : parseJson(decodeUtf8(bytes));
  if (type === "application/x-www-form-urlencoded") return formValues(decodeUtf8(bytes));
  if (type.startsWith("text/")) return decodeText(bytes, contentType ?? "");
  return bytes.length === 0 ? {} : bytes.toString("base64");
}

/** Like `valuesByName`, without `URLSearchParams`, which takes seconds for a megabyte of names without values. */
function formValues(text: string): unknown {
  return parseForm(text, "&", "=", { maxKeys: 0 });
}

/** Text in the charset of its type; UTF-8 by default. */
function decodeText(bytes: Buffer, contentType: string): string {
  const charset = /;\s*charset="?([^\s";]+)/i.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidBody(`must be encoded as ${charset}`);
  }
}

/** Names to values; a repeated name has a list. */
export function valuesByName(parameters: URLSearchParams): Record<string, string | string[]> {
  const lists = new Map<string, string[]>();
  for (const [name, value] of parameters) {
    const list = lists.get(name);
    if (list === undefined) lists.set(name, [value]);
    else list.push(value);
  }
  // fromEntries defines properties, so that a name such as `__proto__` stays data.
  return Object.fromEntries([...lists].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? "") : list]));
}
