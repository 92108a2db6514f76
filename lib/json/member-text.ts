import { endOfText } from "#lib/engine/json.ts";

const [quote, comma] = ['"', ","].map((character) => character.charCodeAt(0));
const opening = new Set([..."[{"].map((bracket) => bracket.charCodeAt(0)));
const closing = new Set([..."]}"].map((bracket) => bracket.charCodeAt(0)));

/**
 * The text of one member of an object, given the object's text from `JSON.stringify`; undefined if there is no such
 * member. Reads each character at most once and parses nothing, so that a large value can be passed on as stored.
 */
export function memberText(json: string, name: string): string | undefined {
  const encodedName = JSON.stringify(name);
  for (let index = 1; json.charCodeAt(index) === quote; ) {
    const from = endOfText(json, index) + '":'.length;
    const key = json.slice(index, from - ":".length);
    const end = endOfValue(json, from);
    if (key === encodedName) return json.slice(from, end);
    index = end + ",".length;
  }
  return undefined;
}

/** The index of the comma or bracket after the value. */
function endOfValue(json: string, from: number): number {
  let open = 0;
  for (let at = from; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === quote) at = endOfText(json, at);
    else if (opening.has(unit)) open += 1;
    else if (open === 0 && (unit === comma || closing.has(unit))) return at;
    else if (closing.has(unit)) open -= 1;
  }
  return json.length;
}
