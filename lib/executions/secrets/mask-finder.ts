import type { SecretForm } from "./mask-secret-forms.ts";

/** A stretch of text: from `start` up to, but not including, `end`. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** What forms are told apart by first. No form is shorter. */
export const formCharactersMin = 4;
/** Of a longer form this much is searched for; what follows is compared once that is found. */
const headCharactersMax = 128;

/** A form's beginning, and what may follow it; several long forms may begin alike. */
interface Head {
  readonly text: string;
  /** A form that is as long as the head. */
  whole: SecretForm | null;
  readonly longer: SecretForm[];
}

/** Heads that begin with the same four characters (more precisely, with the same low bytes of them), in order. */
interface Bucket {
  readonly heads: readonly Head[];
  /** For each head the place of the longest other one that it begins with; -1 for none. */
  readonly within: readonly number[];
  readonly longest: number;
}

/**
 * Finds every form of every secret in a text, in one pass over it. The cost of a character does not depend on how many
 * forms there are, or how long they are: most are passed over by a look at one bit, and the others cost a binary search
 * among forms that begin alike. (An Aho-Corasick automaton would do with less in the worst case; but it has a node for
 * each character of each form, a million of them where this needs a few thousand strings, and is built for every run.)
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

  /** Where the text holds a secret: in order, those that overlap as one. `first`: one is enough. */
  find(text: string, first = false): Stretch[] {
    const found: { start: number; end: number }[] = [];
    let key = 0;
    // Up to where a long form was compared last: it is not compared again within.
    let compared = 0;
    for (let at = 0; at < text.length; at += 1) {
      key = (key << 8) | (text.charCodeAt(at) & 0xff);
      const start = at + 1 - formCharactersMin;
      if (this.#seen[this.#place(key)] === 0 || start < 0) continue;
      const bucket = this.#buckets.get(key);
      const head = bucket && longestHead(bucket, text, start);
      if (head === undefined) continue;
      const stretch = stretchOf(head, text, start, start >= compared, found.at(-1)?.end ?? 0);
      if (head.longer.length > 0 && start >= compared) compared = stretch.end;
      add(found, stretch);
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
    const head = heads.get(text) ?? { text, whole: null, longer: [] };
    heads.set(text, head);
    if (form.text.length > headCharactersMax) head.longer.push(form);
    else head.whole ??= form;
  }
  return all;
}

function keyOf(text: string): number {
  let key = 0;
  for (let at = 0; at < formCharactersMin; at += 1) key = (key << 8) | (text.charCodeAt(at) & 0xff);
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

/** The longest head that the text has at `start`: the last one that does not come after it in order, or within that. */
function longestHead({ heads, within, longest }: Bucket, text: string, start: number): Head | undefined {
  const here = text.slice(start, start + longest);
  let low = 0;
  let high = heads.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((heads[middle]?.text ?? "") <= here) low = middle + 1;
    else high = middle;
  }
  let index = low - 1;
  while (index >= 0 && !here.startsWith(heads[index]?.text ?? "")) index = within[index] ?? -1;
  return heads[index];
}

/**
 * What is to be hidden where a head was found. Of a long secret that is cut, or goes on differently, as far as it
 * goes: its head alone tells much.
 */
function stretchOf(head: Head, text: string, start: number, mayCompare: boolean, done: number): Stretch {
  let end = start + head.text.length;
  let form = head.whole;
  for (const longer of mayCompare ? head.longer : []) {
    const alike = alikeUpTo(longer.text, text, start);
    if (alike < end) continue;
    end = alike;
    form = alike === start + longer.text.length ? longer : null;
  }
  const from = form?.sharesFirst === true && start > done && isBase64(text[start - 1]) ? start - 1 : start;
  if (form?.sharesLast === true && isBase64(text[end])) end += 1;
  while (form?.padded === true && text[end] === "=") end += 1;
  return { start: from, end };
}

function alikeUpTo(form: string, text: string, start: number): number {
  let length = headCharactersMax;
  while (length < form.length && form.charCodeAt(length) === text.charCodeAt(start + length)) length += 1;
  return start + length;
}

function isBase64(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9+/_-]/.test(character);
}

function add(found: { start: number; end: number }[], { start, end }: Stretch): void {
  const last = found.at(-1);
  // A character that both share is no overlap of theirs: two secrets side by side are two.
  if (last === undefined || start >= last.end) found.push({ start, end });
  else last.end = Math.max(last.end, end);
}
