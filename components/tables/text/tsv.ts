// Blocks of cells as spreadsheets put them on the clipboard: cells separated by tabs, rows by line breaks, and quotes
// around cells that contain either.

/** The maximum for a paste; the message suggests CSV for more. */
export const pasteMax = { rows: 5_000, cells: 100_000, characters: 4_194_304 } as const;

/** After this many unmatched quotes, all others are plain characters. */
const unclosedMax = 100;

/** The cells, row by row; null if there are too many. */
export function readTsv(text: string): string[][] | null {
  if (text.length > pasteMax.characters) return null;
  const rows: string[][] = [];
  let cells = 0;
  let unclosed = 0;
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    const row: string[] = [];
    for (;;) {
      // Finding a closing quote may scan the rest of the text: bounded.
      const quoted = text[at] === '"' && unclosed < unclosedMax ? quotedCell(text, at) : undefined;
      if (quoted === null) unclosed += 1;
      const cell = quoted ?? plainCell(text, at);
      row.push(cell.value);
      cells += 1;
      if (cells > pasteMax.cells) return null;
      at = cell.end;
      if (text[at] !== "\t") break;
      at += 1;
    }
    rows.push(row);
    if (rows.length > pasteMax.rows) return null;
    at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
  }
  return rows;
}

interface Cell {
  readonly value: string;
  readonly end: number;
}

const cellEnd = /[\t\r\n]|$/g;

function plainCell(text: string, from: number): Cell {
  cellEnd.lastIndex = from;
  const end = cellEnd.exec(text)?.index ?? text.length;
  return { value: text.slice(from, end), end };
}

/** Null if the quote is a plain character because it is not closed before the cell ends. */
function quotedCell(text: string, from: number): Cell | null {
  let end = from + 1;
  for (;;) {
    end = text.indexOf('"', end);
    if (end === -1) return null;
    if (text[end + 1] !== '"') break;
    end += 2;
  }
  const after = text[end + 1];
  if (after !== undefined && !"\t\r\n".includes(after)) return null;
  return { value: text.slice(from + 1, end).replaceAll('""', '"'), end: end + 1 };
}

/** Formats cells as a spreadsheet reads them. */
export function writeTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(written).join("\t")).join("\r\n");
}

function written(text: string): string {
  return /[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
