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
  for (let at = 0; at < command.length; at += 1) {
    const character = command[at] ?? "";
    if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    // Another command begins here.
    if (word === null && /[;|&]/.test(character)) break;
    const isEscaped = character === "$" && command[at + 1] === "'";
    if (character === "\\") {
      at += 1;
      if (command[at] === "\r" && command[at + 1] === "\n") at += 1;
      else if (command[at] !== "\n") word = (word ?? "") + (command[at] ?? "");
    } else if (character === "'" || character === '"' || isEscaped) {
      const quoted = quotedFrom(command, isEscaped ? at + 2 : at + 1, isEscaped ? "$" : character);
      if (quoted === null) return null;
      word = (word ?? "") + quoted.text;
      at = quoted.end;
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
