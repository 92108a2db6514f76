import { withoutPieces } from "./mask-pieces.ts";
import { type SecretForm, secretForms } from "./mask-secrets-forms.ts";

const mask = "•••";

/**
 * Shorter secrets stay visible: two or three characters occur everywhere, and masking them would spoil every output
 * without hiding anything that cannot be guessed. Storing such a credential is the place to object.
 */
const secretCharactersMin = 4;

export interface SecretMask {
  text(text: string): string;
  /** The same for messages that may quote a secret in part. */
  pieces(text: string): string;
  /** A copy of a JSON value with every string and key masked, and numbers that spell a secret as masked text. */
  value(value: unknown): unknown;
}

/** Of a run that has met no secret. */
export const noMask: SecretMask = { text: (text) => text, pieces: (text) => text, value: (value) => value };

/** Puts `•••` in the place of every secret, also where it is base64, URL-encoded or escaped in JSON. */
export function createMask(values: readonly string[]): SecretMask {
  const secrets = new Set(values.flatMap((value) => [value, value.trim()]));
  const long = [...secrets].filter((secret) => secret.trim().length >= secretCharactersMin);
  if (long.length === 0) return noMask;

  // The longest first: a short secret within a long one must not leave the rest of the long one standing.
  const forms = long.flatMap(secretForms).sort((a, b) => b.text.length - a.text.length);
  const shortest = forms.at(-1)?.text.length ?? 0;
  const text = (original: string): string => {
    if (original.length < shortest) return original;
    let masked = original;
    for (const form of forms) if (form.text.length <= masked.length) masked = withoutForm(masked, form);
    return masked;
  };
  const numeric = long.some((secret) => /^[-+.\deE]+$/.test(secret));
  const pieces = (original: string) => withoutPieces(text(original), long, mask);
  return { text, pieces, value: (value) => maskedCopy(value, text, numeric) };
}

function withoutForm(text: string, form: SecretForm): string {
  let at = text.indexOf(form.text);
  if (at < 0) return text;
  let result = "";
  let done = 0;
  for (; at >= 0; at = text.indexOf(form.text, done)) {
    let start = at;
    let end = at + form.text.length;
    if (form.sharesFirst && start > done && isBase64(text[start - 1])) start--;
    if (form.sharesLast && isBase64(text[end])) end++;
    while (form.padded && text[end] === "=") end++;
    result += text.slice(done, start) + mask;
    done = end;
  }
  return result + text.slice(done);
}

function isBase64(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9+/_-]/.test(character);
}

/** Without recursion: what is nested deeper than the stack is masked like the rest. */
function maskedCopy(root: unknown, text: (text: string) => string, numeric: boolean): unknown {
  const copies = new Map<object, object>();
  const pending: object[] = [];
  const copyOf = (item: unknown): unknown => {
    if (typeof item === "string") return text(item);
    if (typeof item === "number" && numeric) return masksNumber(item, text);
    if (typeof item !== "object" || item === null) return item;
    const known = copies.get(item);
    if (known) return known;
    const copy = Array.isArray(item) ? [] : {};
    copies.set(item, copy);
    pending.push(item);
    return copy;
  };

  const result = copyOf(root);
  for (let source = pending.pop(); source !== undefined; source = pending.pop()) {
    const copy = copies.get(source);
    if (Array.isArray(copy)) for (const item of source as unknown[]) copy.push(copyOf(item));
    else if (copy) for (const [key, item] of Object.entries(source)) define(copy, text(key), copyOf(item));
  }
  return result;
}

function masksNumber(number: number, text: (text: string) => string): unknown {
  const written = String(number);
  const masked = text(written);
  return masked === written ? number : masked;
}

/** Assigning would take a key named `__proto__` for the prototype. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
