/** A longer text is written as a block. */
const lineCharactersMax = 80;

/** Characters that an editor, a terminal or a YAML parser might change or hide. */
const unprintable = /[^\P{Cc}\t\n]|[\u2028\u2029\ufeff\ufffe\uffff]/u;
const unprintables = new RegExp(unprintable.source, "gu");

/** Starts like a word, and has no special characters. */
const plain = /^[\p{L}_$/(][\p{L}\p{N} _$./()+*=<>;~^|?!@%&,'"[\]{}\\:#-]*$/u;
const version = /^\d+\.\d+\.\d+$/;
/** Parsed as another type by YAML 1.1 or 1.2. */
const word = /^(null|true|false|yes|no|on|off|y|n)$/i;

/** A text on one line: plain if no parser could read it as another type, otherwise quoted. */
export function scalarText(text: string): string {
  if (isPlain(text)) return text;
  if (/["\\]/.test(text) && isPrintable(text) && !/[\t\n]/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replace(unprintables, escaped);
}

function isPlain(text: string): boolean {
  if (text.length > lineCharactersMax || word.test(text)) return false;
  return (plain.test(text) && !/: |:$| #| $/.test(text)) || version.test(text);
}

function isPrintable(text: string): boolean {
  return !unprintable.test(text) && text.isWellFormed();
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * A long or multi-line text as a block: its header, and its lines without indentation. Null for a short text, and for
 * one that a block cannot hold or in which an editor would change something.
 */
export function blockText(text: string): { readonly header: string; readonly lines: readonly string[] } | null {
  if (!text.includes("\n") && text.length <= lineCharactersMax) return null;
  // Parsers disagree on lines of only spaces.
  if (!isPrintable(text) || /^[ \t]+$/m.test(text) || !/[^\n]/.test(text)) return null;
  const indent = /^[\s]/.test(text) ? "2" : "";
  let ends = 0;
  while (text[text.length - 1 - ends] === "\n") ends += 1;
  const chomp = ends === 0 ? "-" : ends === 1 ? "" : "+";
  const lines = text.split("\n");
  if (ends > 0) lines.pop();
  return { header: `|${indent}${chomp}`, lines };
}
