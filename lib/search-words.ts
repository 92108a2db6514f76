// Search, in the browser and on the server alike: text matches if it contains every word, in any order, ignoring case and
// accents.

/** Each word costs a scan of the text: of more words, the longest are used. */
const wordsMax = 12;

/** Folds text for comparison: lower case, no accents, full-width letters as plain ones. `search_fold` is its SQL twin. */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
}

/** The distinct words of a search, longest first, without those that another contains. */
export function wordsOf(search: string): readonly string[] {
  const words = [...new Set(search.split(/\s+/).filter(Boolean))].toSorted((a, b) => b.length - a.length);
  const distinct: string[] = [];
  for (const word of words) {
    if (distinct.length === wordsMax) break;
    if (!distinct.some((longer) => longer.includes(word))) distinct.push(word);
  }
  return distinct;
}

/** What separates words within a name, besides spaces. */
export const separators = "-_./:,;()[]{}<>\"'#@&+|!?";
const separator = new RegExp(`[${separators.replace(/[\]\\^-]/g, "\\$&")}]`, "g");

/** A word with a space before it and a space for each separator, to match only where a word of a name begins. */
export function beginning(word: string): string {
  return ` ${word.replace(separator, " ")}`;
}

/** How well something matches, best first: the whole name, its start, whole words, parts of words, or other text. */
const ranks = { name: 0, start: 1, words: 2, parts: 3, text: 4 } as const;

/** Ranks a name and its other text; `undefined` means no match. An empty search matches everything alike. */
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

/** The things that match, best first; equal matches keep their order. */
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
    .toSorted((a, b) => a.found - b.found)
    .map(({ thing }) => thing);
}
