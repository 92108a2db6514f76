import type { SecretForm } from "./mask-secret-forms.ts";

/** A stretch of text from `start` up to, but excluding, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The prefix that distinguishes forms. No form is shorter. */
export const formCharactersMin = 4;
/** How much of a longer form is searched for; the rest is compared once this much is found. */
const headCharactersMax = 128;

/** A form's beginning, and its possible continuations; several long forms may share a beginning. */
interface Head {
  readonly text: string;
  /** A form that is no longer than the head. */
  exact: SecretForm | null;
  readonly longer: SecretForm[];
}

/** Heads that share their first four characters (more precisely, the low bytes of these), sorted. */
interface Bucket {
  readonly heads: readonly Head[];
  /** For each head, the index of the longest other head that is its prefix; -1 for none. */
  readonly within: readonly number[];
  readonly longest: number;
}

/**
 * Finds every form of every secret in a text, in one pass. The cost per character does not depend on the number of
 * forms or their length: most characters are skipped by testing one bit, the others cost a binary search among forms
 * with the same prefix. (An Aho-Corasick automaton has a better worst case, but needs a node for each character of each
 * form, a million where this needs a few thousand strings, and would be built for every run.)
 */
export class MaskFinder {
  readonly #buckets = new Map<number, Bucket>();
  readonly #seen: Uint8Array;
  readonly #shift: number;

  constructor(forms: readonly SecretForm[]) {
    const bits = Math.min(Math.max(Math.ceil(Math.log2(forms.length * 64)), 10), 20);
    this.#shift = 32 - bits;
    this.#seen = new Uint8Array(1 << bits);
    for (const [key, heads] of headsByKey(forms)) {
      this.#buckets.set(key, bucketOf(heads));
      this.#seen[this.#place(key)] = 1;
    }
  }

  /** The stretches that hold a secret, in order, overlapping ones merged. `first`: stop at the first. */
  find(text: string, first = false): Span[] {
    const found: { start: number; end: number }[] = [];
    let key = 0;
    // The end of the last long comparison; no other starts within it.
    let compared = 0;
    for (let index = 0; index < text.length; index += 1) {
      key = (key << 8) | (text.charCodeAt(index) & 0xff);
      const start = index + 1 - formCharactersMin;
      if (this.#seen[this.#place(key)] === 0 || start < 0) continue;
      const bucket = this.#buckets.get(key);
      const head = bucket && longestHead(bucket, text, start);
      if (head === undefined) continue;
      const span = spanOf(head, text, start, start >= compared, found.at(-1)?.end ?? 0);
      if (head.longer.length > 0 && start >= compared) compared = span.end;
      add(found, span);
      if (first) break;
    }
    return found;
  }

  #place(key: number): number {
    return Math.imul(key, 0x9e3779b1) >>> this.#shift;
  }
}

function headsByKey(forms: readonly SecretForm[]): Map<number, Map<string, Head>> {
  const all = new Map<number, Map<string, Head>>();
  for (const form of forms) {
    const text = form.text.slice(0, headCharactersMax);
    const key = keyOf(text);
    const heads = all.get(key) ?? new Map<string, Head>();
    if (heads.size === 0) all.set(key, heads);
    const head = heads.get(text) ?? { text, exact: null, longer: [] };
    heads.set(text, head);
    if (form.text.length > headCharactersMax) head.longer.push(form);
    else head.exact ??= form;
  }
  return all;
}

function keyOf(text: string): number {
  let key = 0;
  for (let index = 0; index < formCharactersMin; index += 1) key = (key << 8) | (text.charCodeAt(index) & 0xff);
  return key;
}

function bucketOf(byText: ReadonlyMap<string, Head>): Bucket {
  const heads = [...byText.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
  const within: number[] = [];
  let longest = 0;
  heads.forEach(({ text }, index) => {
    longest = Math.max(longest, text.length);
    let other = index - 1;
    while (other >= 0 && !text.startsWith(heads[other]?.text ?? "")) other = within[other] ?? -1;
    within.push(other);
  });
  return { heads, within, longest };
}

/** The longest head at `start`: the last one not after it in order, or one of that head's prefixes. */
function longestHead({ heads, within, longest }: Bucket, text: string, start: number): Head | undefined {
  const prefix = text.slice(start, start + longest);
  let low = 0;
  let high = heads.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((heads[middle]?.text ?? "") <= prefix) low = middle + 1;
    else high = middle;
  }
  let index = low - 1;
  while (index >= 0 && !prefix.startsWith(heads[index]?.text ?? "")) index = within[index] ?? -1;
  return heads[index];
}

/**
 * What to mask where a head was found. A long secret that is cut off or diverges is masked as far as it matches,
 * because its head alone reveals much.
 */
function spanOf(head: Head, text: string, start: number, mayCompare: boolean, done: number): Span {
  let end = start + head.text.length;
  let form = head.exact;
  for (const longer of mayCompare ? head.longer : []) {
    const matched = matchEnd(longer.text, text, start);
    if (matched < end) continue;
    end = matched;
    form = matched === start + longer.text.length ? longer : null;
  }
  const from = form?.sharesFirst === true && start > done && isBase64(text[start - 1]) ? start - 1 : start;
  if (form?.sharesLast === true && isBase64(text[end])) end += 1;
  while (form?.padded === true && text[end] === "=") end += 1;
  return { start: from, end };
}

function matchEnd(form: string, text: string, start: number): number {
  let length = headCharactersMax;
  while (length < form.length && form.charCodeAt(length) === text.charCodeAt(start + length)) length += 1;
  return start + length;
}

function isBase64(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9+/_-]/.test(character);
}

function add(found: { start: number; end: number }[], { start, end }: Span): void {
  const last = found.at(-1);
  // Sharing one character is not an overlap: two adjacent secrets stay two.
  if (last === undefined || start >= last.end) found.push({ start, end });
  else last.end = Math.max(last.end, end);
}
