import { type JsonText, jsonText } from "#lib/engine/outcome.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { knownText } from "./known-text.ts";
import { largeCharacters, unreadText } from "./large-output.ts";
import { endOfText } from "./parse-json.ts";
import { jsonInTurns } from "./write-json.ts";

/**
 * A loop's items, each with its JSON. Of a list with more than 16 KiB only that is kept, and an item is parsed when it is
 * read: a loop may take hours, and its items far more memory than their JSON.
 */
export async function itemTexts(items: readonly unknown[]): Promise<readonly JsonText[]> {
  const json = knownText(items) ?? (await jsonInTurns(items));
  if (json.length <= largeCharacters) return items.map((item) => jsonText(item));
  const texts = await cut(json);
  return texts.map((text) => unreadText(text));
}

/** Characters to look at before asking whether it is time to yield. */
const lookCharacters = 65_536;

const [quote, comma, ...brackets] = [...'",[{]}'].map((character) => character.charCodeAt(0));
const [openList, openObject, closeList, closeObject] = brackets;

/** The texts of a list's items, cut from the list's own. */
async function cut(list: string): Promise<string[]> {
  const texts: string[] = [];
  let [from, depth, lookAt] = [1, 0, lookCharacters];
  for (let at = from; at < list.length - 1; at += 1) {
    if (at > lookAt) {
      lookAt = at + lookCharacters;
      const turn = yieldTurn();
      if (turn !== undefined) await turn;
    }
    const unit = list.charCodeAt(at);
    if (unit === quote) at = endOfText(list, at);
    else if (unit === openList || unit === openObject) depth += 1;
    else if (unit === closeList || unit === closeObject) depth -= 1;
    else if (unit === comma && depth === 0) {
      texts.push(list.slice(from, at));
      from = at + 1;
    }
  }
  texts.push(list.slice(from, -1));
  return texts;
}
