// CSV as in RFC 4180: fields separated by commas, quoted where necessary, one line per row.

/** CSV that cannot be read; the message is for the caller. */
export class CsvError extends Error {
  override readonly name = "CsvError";
}

/** A record and the number of its first line. A field is null if it is empty and not quoted. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly (string | null)[];
}

/** Far more than a table has columns. */
const fieldsMax = 1_000;

/**
 * Reads records one by one, so that the caller can yield. Lines end with CRLF, LF or CR; empty ones are skipped.
 * `delimiter`: a character without special meaning in a regular expression's class, such as `,`, `;`, `|` or a tab.
 */
export function* readCsv(text: string, delimiter = ","): Generator<CsvRecord, void, undefined> {
  let at = text.startsWith("\ufeff") ? 1 : 0;
  let line = 1;
  const ends = new RegExp(`[${delimiter}\r\n]|$`, "g");
  while (at < text.length) {
    const startLine = line;
    const fields: (string | null)[] = [];
    for (;;) {
      const field = text[at] === '"' ? quotedField(text, at, line, delimiter) : plainField(text, at, ends);
      if (fields.length === fieldsMax) throw new CsvError(`line ${line}: has more than ${fieldsMax} fields`);
      fields.push(field.value);
      line += field.lines;
      at = field.end;
      if (text[at] !== delimiter) break;
      at += 1;
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    at += 1;
    line += 1;
    if (fields.length > 1 || fields[0] !== null) yield { line: startLine, fields };
  }
}

interface Field {
  readonly value: string | null;
  readonly end: number;
  /** The number of line breaks in it. */
  readonly lines: number;
}

function plainField(text: string, from: number, ends: RegExp): Field {
  ends.lastIndex = from;
  const end = ends.exec(text)?.index ?? text.length;
  return { value: end === from ? null : text.slice(from, end), end, lines: 0 };
}

function quotedField(text: string, from: number, line: number, delimiter: string): Field {
  let end = from + 1;
  for (;;) {
    end = text.indexOf('"', end);
    if (end === -1) throw new CsvError(`line ${line}: a quoted field has no end`);
    if (text[end + 1] !== '"') break;
    end += 2;
  }
  const after = text[end + 1];
  if (after !== undefined && !`${delimiter}\r\n`.includes(after)) {
    const name = delimiter === "," ? "a comma" : JSON.stringify(delimiter);
    throw new CsvError(`line ${line}: after a quoted field, ${name} or the end of the line is expected`);
  }
  const raw = text.slice(from + 1, end);
  return { value: raw.replaceAll('""', '"'), end: end + 1, lines: raw.match(/\r\n|[\r\n]/g)?.length ?? 0 };
}

/** A record as a line. Empty text is quoted, to distinguish it from a missing value. */
export function csvLine(fields: readonly (string | null)[], delimiter = ","): string {
  return `${fields.map((value) => csvField(value, delimiter)).join(delimiter)}\r\n`;
}

function csvField(value: string | null, delimiter: string): string {
  if (value === null) return "";
  return value === "" || value.includes(delimiter) || /["\r\n]|^\ufeff/.test(value)
    ? `"${value.replaceAll('"', '""')}"`
    : value;
}
