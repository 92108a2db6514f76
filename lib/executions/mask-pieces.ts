/** Shorter pieces of a secret tell little, and would be found in ordinary words. */
const pieceCharactersMin = 8;

/**
 * Puts `mask` in the place of every piece of a secret. For messages that quote a part of what they were given, as a
 * JavaScript engine's do: the first token that JSON.parse could not read, or a name that was cut.
 */
export function withoutPieces(text: string, secrets: readonly string[], mask: string): string {
  const isPiece = (start: number) => {
    const piece = text.slice(start, start + pieceCharactersMin);
    return secrets.some((secret) => secret.includes(piece));
  };
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
