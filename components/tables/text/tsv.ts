// Blocks of cells as spreadsheets put them on the clipboard: tabs between cells, a line a row, quotes around cells that
// hold either.

/** More is for CSV: see the words that the page says then. */
export const pasteMax = { rows: 5_000, cells: 100_000, characters: 4_194_304 } as const;

/** After so many quotes that are just characters, all are. */
const unclosedMax = 100;

/** Cells, row by row; null for more than one paste takes. */
export function readTsv(text: string): string[][] | null {
  if (text.length > pasteMax.characters) return null;
  const rows: string[][] = [];
  let cells = 0;
  let unclosed = 0;
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    const row: string[] = [];
    for (;;) {
      // Looking for the end of a quote may lead through all that follows: not again and again.
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

/** Null where the quote is just a character: it is not closed before the cell ends. */
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

/** Cells as a spreadsheet reads them. */
export function writeTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(written).join("\t")).join("\r\n");
}

function written(text: string): string {
  return /[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
