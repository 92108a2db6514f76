const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "0": "\0",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

/** Splits a command into words like a shell, without running or substituting anything; null if a quote is not closed. */
export function shellWords(command: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  for (let index = 0; index < command.length; index += 1) {
    const character = command[index] ?? "";
    if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    // Another command begins here.
    if (word === null && /[;|&]/.test(character)) break;
    const isEscaped = character === "$" && command[index + 1] === "'";
    if (character === "\\") {
      index += 1;
      if (command[index] === "\r" && command[index + 1] === "\n") index += 1;
      else if (command[index] !== "\n") word = (word ?? "") + (command[index] ?? "");
    } else if (character === "'" || character === '"' || isEscaped) {
      const quoted = quotedFrom(command, isEscaped ? index + 2 : index + 1, isEscaped ? "$" : character);
      if (quoted === null) return null;
      word = (word ?? "") + quoted.text;
      index = quoted.end;
    } else word = (word ?? "") + character;
  }
  if (word !== null) words.push(word);
  return words;
}

/** The content of quotes (`$`: with escapes), and the position after them. */
function quotedFrom(command: string, from: number, quote: string): { text: string; end: number } | null {
  const closing = quote === "$" ? "'" : quote;
  let text = "";
  for (let at = from; at < command.length; at += 1) {
    const character = command[at] ?? "";
    if (character === closing) return { text, end: at };
    const next = command[at + 1] ?? "";
    if (quote === "$" && character === "\\") {
      const unicode = /^u([0-9a-fA-F]{4})/.exec(command.slice(at + 1, at + 6))?.[1];
      text +=
        unicode === undefined ? (escapes[next] ?? `\\${next}`) : String.fromCharCode(Number.parseInt(unicode, 16));
      at += unicode === undefined ? 1 : 5;
    } else if (quote === '"' && character === "\\" && /["\\$`\n]/.test(next)) {
      text += next === "\n" ? "" : next;
      at += 1;
    } else text += character;
  }
  return null;
}
