// How text is searched, in the browser as on the server: every word of the search, in any order, each as any part of what
// is searched, whatever its case and accents.

/** Of a search with more words, the longest count: each is looked for in everything. */
const wordsMax = 12;

/** What is compared: small letters without accents, full-width letters as plain ones. PostgreSQL has it as search_fold. */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
}

/** The words of a search as they were typed; those that are part of another are told by it. */
export function wordsOf(search: string): readonly string[] {
  const words = [...new Set(search.split(/\s+/).filter(Boolean))].toSorted((one, other) => other.length - one.length);
  const distinct: string[] = [];
  for (const word of words) {
    if (distinct.length === wordsMax) break;
    if (!distinct.some((longer) => longer.includes(word))) distinct.push(word);
  }
  return distinct;
}

/** What separates words within a name, beside spaces. */
export const separators = "-_./:,;()[]{}<>\"'#@&+|!?";
const separator = new RegExp(`[${separators.replace(/[\]\\^-]/g, "\\$&")}]`, "g");

/** A word as it would begin one of a name's, of which every separator is a space and one stands before the first. */
export function beginning(word: string): string {
  return ` ${word.replace(separator, " ")}`;
}

/** How well something fits: 0 best. A name that is the search, begins with it, has its words, has parts of them; or text. */
const ranks = { name: 0, start: 1, words: 2, parts: 3, text: 4 } as const;

/** Ranks things by a search: gives undefined for what lacks a word of it. Without any word everything fits alike. */
export function rankedBy(search: string): (name: string, text?: string) => number | undefined {
  const words = wordsOf(foldText(search));
  const whole = foldText(search.trim());
  const beginnings = words.map(beginning);
  return (name, text = "") => {
    if (words.length === 0) return ranks.name;
    const folded = foldText(name);
    if (!words.every((word) => folded.includes(word))) {
      const all = `${folded}\n${foldText(text)}`;
      return words.every((word) => all.includes(word)) ? ranks.text : undefined;
    }
    if (folded === whole) return ranks.name;
    if (folded.startsWith(whole)) return ranks.start;
    const spaced = beginning(folded);
    return beginnings.every((word) => spaced.includes(word)) ? ranks.words : ranks.parts;
  };
}

/** The things that a search finds, the best first and otherwise as they come. */
export function findAll<Thing>(
  things: readonly Thing[],
  search: string,
  namesOf: (thing: Thing) => readonly [name: string, text?: string],
): readonly Thing[] {
  const rank = rankedBy(search);
  return things
    .flatMap((thing) => {
      const found = rank(...namesOf(thing));
      return found === undefined ? [] : [{ thing, found }];
    })
    .toSorted((one, other) => one.found - other.found)
    .map(({ thing }) => thing);
}
