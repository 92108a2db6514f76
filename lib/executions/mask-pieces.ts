/** Shorter pieces of a secret tell little, and would be found in ordinary words. */
const pieceCharactersMin = 8;

/**
 * Puts `mask` in the place of every piece of a secret. For messages that quote a part of what they were given, as a
 * JavaScript engine's do: the first token that JSON.parse could not read, or a name that was cut.
 */
export function withoutPieces(text: string, secrets: readonly string[], mask: string): string {
  const pieces = piecesOf(text, secrets);
  if (pieces.size === 0) return text;
  const isPiece = (start: number) => pieces.has(text.slice(start, start + pieceCharactersMin));
  let result = "";
  let done = 0;
  for (let start = 0; start + pieceCharactersMin <= text.length; start += 1) {
    if (!isPiece(start)) continue;
    let last = start;
    while (last + 1 + pieceCharactersMin <= text.length && isPiece(last + 1)) last += 1;
    result += text.slice(done, start) + mask;
    done = last + pieceCharactersMin;
    start = done - 1;
  }
  return result + text.slice(done);
}

/** The shortest pieces that the text and a secret have in common: the cost is the sum of their lengths, not the product. */
function piecesOf(text: string, secrets: readonly string[]): Set<string> {
  const inText = new Set<string>();
  for (const piece of piecesWithin(text)) inText.add(piece);
  const found = new Set<string>();
  if (inText.size === 0) return found;
  for (const secret of secrets) for (const piece of piecesWithin(secret)) if (inText.has(piece)) found.add(piece);
  return found;
}

function* piecesWithin(text: string): Generator<string> {
  for (let start = 0; start + pieceCharactersMin <= text.length; start += 1) {
    yield text.slice(start, start + pieceCharactersMin);
  }
}
