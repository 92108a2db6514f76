/** One way to write a secret. */
export interface SecretForm {
  readonly text: string;
  /** Whether the character before or after also encodes some of the secret's bits, as in base64. */
  readonly sharesFirst: boolean;
  readonly sharesLast: boolean;
  /** Whether `=` may follow. */
  readonly padded: boolean;
}

/** The form as it appears inside a JSON string. */
export function inJson(form: SecretForm): SecretForm {
  const text = escaped(form.text);
  return text === form.text ? form : { ...form, text };
}

/** A form that is matched regardless of its surroundings. */
export function plainForm(text: string): SecretForm {
  return { text, sharesFirst: false, sharesLast: false, padded: false };
}

/** Every form of one secret, each once. */
export function secretForms(secret: string): SecretForm[] {
  // Most secrets contain nothing that JSON or URLs escape.
  const escapedForms = /^[\w.-]*$/.test(secret) ? [secret] : [...jsonForms(secret), ...urlForms(secret)];
  const lower = isUnlikeWord(secret) ? hostForms(secret) : [];
  const plain = new Set([...escapedForms, ...lower, ...hexForms(secret)]);
  return [...[...plain].map(plainForm), ...[0, 1, 2].flatMap((offset) => base64Forms(secret, offset))];
}

/**
 * Unescaped, escaped once and twice (JSON within JSON), and as written by serializers that escape `/` or all non-ASCII
 * characters.
 */
function jsonForms(secret: string): string[] {
  const once = escaped(secret);
  const slashes = once.replaceAll("/", "\\/");
  return [secret, once, escaped(once), slashes, asciiOnly(once), asciiOnly(slashes)];
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function asciiOnly(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function hexForms(secret: string): string[] {
  const hex = Buffer.from(secret, "utf8").toString("hex");
  return [hex, hex.toUpperCase()];
}

/** Characters that a host name cannot contain. */
const notOfHosts = /[\s/?#@:<>[\]^|\\]/;

/** The secret as a URL's host: in lowercase, decoded, in Punycode, or as the IP address that a number denotes. */
export function hostForms(secret: string): string[] {
  if (notOfHosts.test(secret)) return [];
  const isPlain = /^[\w.-]+$/.test(secret) && /[a-z]/i.test(secret) && !/^0x/i.test(secret);
  const url = `http://${secret}/`;
  const hosts = isPlain || !URL.canParse(url) ? [] : [new URL(url).hostname];
  return [...new Set([secret.toLowerCase(), ...hosts])].filter((form) => form !== secret);
}

/**
 * Whether its lowercase form may be masked everywhere: a server may repeat the host, but ordinary words must not
 * disappear from outputs.
 */
function isUnlikeWord(secret: string): boolean {
  return secret.length >= 20 || (secret.length >= 8 && /\d/.test(secret) && /[a-z]/i.test(secret));
}

/**
 * Encoded as a URI component, as a form field, and as the URL parser encodes a query or path that was assembled by
 * hand.
 */
function urlForms(secret: string): string[] {
  // A lone surrogate cannot be encoded: every client sends U+FFFD instead.
  const wellFormed = secret.replace(/\p{Surrogate}/gu, "\ufffd");
  const url = new URL("http://x/");
  url.search = wellFormed;
  url.pathname = wellFormed;
  const forms = [
    encodeURIComponent(wellFormed),
    new URLSearchParams([["", wellFormed]]).toString().slice(1),
    encodeURI(wellFormed),
    url.search.slice(1),
    url.pathname.slice(1),
  ].filter((form) => form !== "");
  return [...forms, ...forms.map(lowerHex)];
}

function lowerHex(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/**
 * The secret within the base64 of a longer text, such as `user:secret`: the result depends on where it starts in the
 * groups of three bytes, and the characters at its ends are shared with its neighbours.
 */
function base64Forms(secret: string, offset: number): SecretForm[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret, "utf8")]);
  const from = Math.ceil((offset * 8) / 6);
  const to = Math.floor((bytes.length * 8) / 6);
  const standard = bytes.toString("base64").slice(from, to);
  const forms = new Set([standard, standard.replaceAll("+", "-").replaceAll("/", "_")]);
  const edges = { sharesFirst: offset !== 0, sharesLast: bytes.length % 3 !== 0, padded: true };
  return [...forms].map((text) => ({ text, ...edges }));
}

/** Shorter pieces of a secret reveal little and would match ordinary words. */
const partCharactersMin = 8;

/**
 * Replaces every piece of a secret with `mask`. For messages that quote part of their input, such as a JavaScript
 * engine's: the first token that JSON.parse could not read, or a truncated name.
 */
export function withoutParts(text: string, secrets: readonly string[], mask: string): string {
  const parts = partsOf(text, secrets);
  if (parts.size === 0) return text;
  const isPart = (start: number) => parts.has(text.slice(start, start + partCharactersMin));
  let result = "";
  let done = 0;
  for (let start = 0; start + partCharactersMin <= text.length; start += 1) {
    if (!isPart(start)) continue;
    let last = start;
    while (last + 1 + partCharactersMin <= text.length && isPart(last + 1)) last += 1;
    result += text.slice(done, start) + mask;
    done = last + partCharactersMin;
    start = done - 1;
  }
  return result + text.slice(done);
}

/** The shortest pieces that the text and a secret have in common. Costs the sum of their lengths, not the product. */
function partsOf(text: string, secrets: readonly string[]): Set<string> {
  const inText = new Set<string>();
  for (const part of partsWithin(text)) inText.add(part);
  const found = new Set<string>();
  if (inText.size === 0) return found;
  for (const secret of secrets) for (const part of partsWithin(secret)) if (inText.has(part)) found.add(part);
  return found;
}

function* partsWithin(text: string): Generator<string> {
  for (let start = 0; start + partCharactersMin <= text.length; start += 1) {
    yield text.slice(start, start + partCharactersMin);
  }
}
