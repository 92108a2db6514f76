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

const pieceBytes = 1_048_576;

/** What a file may be encoded as, besides UTF-8 and UTF-16. */
export const encodings = [
  { value: "windows-1252", label: "Windows-1252: Western Europe" },
  { value: "windows-1250", label: "Windows-1250: Central Europe" },
  { value: "windows-1251", label: "Windows-1251: Cyrillic" },
  { value: "shift_jis", label: "Shift JIS: Japanese" },
  { value: "gb18030", label: "GB 18030: Chinese" },
] as const;

/**
 * A file's text. UTF-16 is recognized by its byte order mark; anything else is read as `encoding`, or as UTF-8 if that is
 * empty. Null if the file is not in this encoding.
 */
export async function readText(file: Blob, encoding: string): Promise<string | null> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const marked = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  const decoder = new TextDecoder(marked ?? (encoding || "utf-8"), { fatal: true });
  let text = "";
  try {
    // In pieces, so that a large file does not keep the page from answering.
    for (let at = 0; at < file.size; at += pieceBytes) {
      text += decoder.decode(await file.slice(at, at + pieceBytes).arrayBuffer(), { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
