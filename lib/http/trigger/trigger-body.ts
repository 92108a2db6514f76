import { parse as parseForm } from "node:querystring";
import { decodeText, decodeUtf8, parseJson } from "#lib/http/read-body.ts";
import { nextTurn } from "#lib/platform/turns.ts";

/**
 * The body of a call to a trigger URL, as `$trigger.body`. Only the content type decides how it is read: JSON, forms
 * and text are parsed, everything else is base64. Returns a promise for a long body. Throws VALIDATION_ERROR.
 */
export function triggerBody(bytes: Buffer, contentType: string | null): unknown {
  const type = typeOf(contentType);
  if (jsonType.test(type)) return bytes.length === 0 ? {} : parseJson(decodeUtf8(bytes), { isKept: true });
  if (type === formType) return formValues(decodeUtf8(bytes));
  if (type.startsWith("text/")) return decodeText(bytes, contentType ?? "");
  return bytes.length === 0 ? {} : bytes.toString("base64");
}

/** Whether a body of this type is parsed as text; all others are bytes. */
export function isParsed(contentType: string | null): boolean {
  const type = typeOf(contentType);
  return type.startsWith("text/") || type === formType || jsonType.test(type);
}

const formType = "application/x-www-form-urlencoded";
const jsonType = /^application\/([\w.-]+\+)?json$/;

function typeOf(contentType: string | null): string {
  return (contentType ?? "application/json").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Characters of a form to parse before yielding: about 10 ms if every field is short. */
const formCharactersAtOnce = 65_536;

type FormValues = Record<string, string | string[] | undefined>;

/** Like `valuesByName`, without `URLSearchParams`, which takes seconds for a megabyte of names without values. */
async function formValues(text: string): Promise<unknown> {
  const values: FormValues = Object.create(null);
  for (let from = 0; from < text.length; ) {
    const end = from + formCharactersAtOnce < text.length ? text.indexOf("&", from + formCharactersAtOnce) : -1;
    const to = end === -1 ? text.length : end;
    const read = parseForm(text.slice(from, to), "&", "=", { maxKeys: 0 });
    if (from === 0 && to === text.length) return read;
    for (const [name, value] of Object.entries(read)) addValue(values, name, value);
    from = to + 1;
    await nextTurn();
  }
  return values;
}

function addValue(values: FormValues, name: string, value: FormValues[string]): void {
  const before = values[name];
  if (before === undefined) values[name] = value;
  // Appended in place: copying the list for every piece would be quadratic for a repeated name.
  else if (Array.isArray(before)) for (const item of [value ?? ""].flat()) before.push(item);
  else values[name] = [before, ...[value ?? ""].flat()];
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
