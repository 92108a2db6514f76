import { type JsonText, jsonText } from "#lib/engine/outcome.ts";
import { nextTurn } from "#lib/platform/turns.ts";
import { maskedCopy } from "./mask-copy.ts";
import { formCharactersMin, MaskFinder } from "./mask-finder.ts";
import { hostForms, inJson, plainForm, type SecretForm, secretForms, withoutParts } from "./mask-secret-forms.ts";
import { bytesOf, type Encoding, encodingOf, inBytes, maskedBytes } from "./mask-stream.ts";

const mask = "•••";

/** Shorter JSON texts are searched string by string, not as a whole. */
const jsonCharactersMin = 10_000;

export interface SecretMask {
  text(text: string): string;
  /** For messages and addresses: ignores case in the hosts that they name. */
  message(text: string): string;
  /** For messages that may quote part of a secret. */
  parts(text: string): string;
  /**
   * A JSON value with every string and key masked, and numbers that spell a secret replaced by masked text; the value
   * itself if it has none.
   */
  value(value: unknown): unknown;
  /** The same for a value with its JSON text, which may be large. Yields. */
  output(output: JsonText): Promise<JsonText>;
  /** The bytes of a text as they arrive. `charset`: the declared one; a byte order mark in the text goes before it. */
  bytes(chunks: AsyncIterable<Uint8Array>, charset?: string): AsyncIterable<Uint8Array>;
}

/** For a run without any secrets. */
export const noMask: SecretMask = {
  text: (text) => text,
  message: (text) => text,
  parts: (text) => text,
  value: (value) => value,
  output: async (output) => output,
  bytes: (chunks) => chunks,
};

/** Replaces every secret with `•••`, also in base64, URL-encoded or escaped in JSON. */
export function createMask(values: readonly string[]): SecretMask {
  const secrets = maskable(values);
  return secrets.length === 0 ? noMask : maskOf(secrets, secrets.flatMap(secretForms));
}

/** The same for any number of secrets. Yields. */
export async function prepareMask(values: readonly string[]): Promise<SecretMask> {
  const secrets = maskable(values);
  if (secrets.length === 0) return noMask;
  const forms: SecretForm[] = [];
  let characters = 0;
  for (const secret of secrets) {
    for (const form of secretForms(secret)) forms.push(form);
    characters += secret.length + charactersOfASecret;
    if (characters < charactersAtOnce) continue;
    characters = 0;
    await nextTurn();
  }
  return maskOf(secrets, forms);
}

/** About 10 ms of work; each secret has a fixed cost on top of its length. */
const charactersAtOnce = 100_000;
const charactersOfASecret = 100;

/**
 * Shorter secrets stay visible: two or three characters occur everywhere, and masking them would spoil every output
 * without hiding anything that cannot be guessed. Storing such a credential is refused instead.
 */
function maskable(values: readonly string[]): string[] {
  const secrets = new Set(values.flatMap((value) => [value, value.trim()]));
  return [...secrets].filter((secret) => secret.trim().length >= formCharactersMin);
}

function maskOf(secrets: readonly string[], forms: readonly SecretForm[]): SecretMask {
  const long = forms.filter(({ text }) => isLong(text));
  const finder = new MaskFinder(long);
  const text = (original: string) => replaced(original, finder);
  const mayBeNumber = secrets.some((secret) => /^[-+.\deE]+$/.test(secret));
  // Built on first use; null if a value's text does not show its content.
  let jsonFinder: MaskFinder | undefined;
  const isIn = (json: string) => {
    if (json.length < jsonCharactersMin || !secrets.every((secret) => secret.isWellFormed())) return true;
    jsonFinder ??= new MaskFinder(long.map(inJson));
    return jsonFinder.find(json, true).length > 0;
  };
  let hostFinder: MaskFinder | undefined;
  const inFiles = new Map<Encoding, ReturnType<typeof bytesFinder>>();
  return {
    text,
    message: (original) => {
      const forms = () => secrets.flatMap((secret) => [...hostForms(secret), lowerCase(secret)]);
      hostFinder ??= new MaskFinder(forms().filter(isLong).map(plainForm));
      return withoutHosts(text(original), hostFinder);
    },
    parts: (original) => withoutParts(text(original), secrets, mask),
    value: (value) => {
      const copying = maskedCopy(value, text, mayBeNumber);
      for (let step = copying.next(); ; step = copying.next()) if (step.done === true) return step.value;
    },
    output: async (output) => {
      if (!isIn(output.json)) return output;
      const copying = maskedCopy(output.value, text, mayBeNumber);
      for (let step = copying.next(); ; step = copying.next()) {
        if (step.done === true) return step.value === output.value ? output : jsonText(step.value);
        await nextTurn();
      }
    },
    bytes: async function* (chunks, charset = "utf-8") {
      const { encoding, all } = await encodingOf(chunks, charset);
      const { finder, longest } = inFiles.get(encoding) ?? bytesFinder(long, encoding);
      inFiles.set(encoding, { finder, longest });
      yield* maskedBytes(all, finder, longest, bytesOf(mask, encoding));
    },
  };
}

function bytesFinder(forms: readonly SecretForm[], encoding: Encoding) {
  const inFile = forms.map((form) => inBytes(form, encoding));
  const longest = inFile.reduce((most, { text }) => Math.max(most, text.length), 0);
  return { finder: new MaskFinder(inFile), longest };
}

function isLong(form: string): boolean {
  return form.length >= formCharactersMin;
}

/** The characters of host names, and a few more. All others separate names. */
const names = /[^\s/?#\\"'<>():,;@!]+/g;

/**
 * Masks within the hosts of URLs, and where the text repeats such a host by itself. Other words that equal a secret in
 * lowercase are kept.
 */
function withoutHosts(text: string, finder: MaskFinder): string {
  const hosts = new Set<string>();
  for (const [, authority = ""] of text.matchAll(/:\/\/([^\s/?#\\"'<>]+)/g)) {
    const [named = ""] = authority.slice(authority.lastIndexOf("@") + 1).match(names) ?? [];
    if (finder.find(lowerCase(named), true).length > 0) hosts.add(withoutDot(named));
  }
  if (hosts.size === 0) return text;
  return text.replace(names, (name) => (hosts.has(withoutDot(name)) ? replaced(name, finder, lowerCase) : name));
}

/** A trailing dot may belong to a fully qualified name, or end the sentence. */
function withoutDot(name: string): string {
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

/** ASCII only: every character keeps its position. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function replaced(text: string, finder: MaskFinder, sought = (original: string) => original): string {
  const found = finder.find(sought(text));
  if (found.length === 0) return text;
  let result = "";
  let done = 0;
  for (const { start, end } of found) {
    result += text.slice(done, start) + mask;
    done = end;
  }
  return result + text.slice(done);
}
