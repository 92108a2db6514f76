import { csvLine, readCsv } from "#lib/tables/csv.ts";

/** A part of a file with the header line, and the line at which its records began in the file. */
export interface CsvPart {
  readonly text: string;
  readonly rows: number;
  /** By line in the part, from 1. */
  readonly lines: ReadonlyMap<number, number>;
}

/** The size of a part, well below the limit of a body. */
const part = { characters: 250_000, rows: 1_000 } as const;

/** Splits a file into parts of one request each. Throws CsvError. */
export function* csvParts(text: string): Generator<CsvPart, void, undefined> {
  const records = readCsv(text);
  const first = records.next();
  if (first.done) return;
  const head = csvLine(first.value.fields);
  let [body, rows, line] = ["", 0, 2];
  let lines = new Map<number, number>();
  for (const record of records) {
    const next = csvLine(record.fields);
    if (rows > 0 && (rows === part.rows || body.length + next.length > part.characters)) {
      yield { text: head + body, rows, lines };
      [body, rows, line] = ["", 0, 2];
      lines = new Map();
    }
    lines.set(line, record.line);
    line += next.slice(0, -2).split(/\r\n|[\r\n]/).length;
    body += next;
    rows += 1;
  }
  if (rows > 0) yield { text: head + body, rows, lines };
}
