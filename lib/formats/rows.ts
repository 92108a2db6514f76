import { CsvError, csvLine, readCsv } from "#lib/tables/csv.ts";
import { conversionLimits, Unconvertible } from "./formats.ts";

type Cell = string | number | boolean | null;

export function rowsOfCsv(text: string, delimiter: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let cells = 0;
  try {
    for (const { fields } of readCsv(text, delimiter)) {
      cells += fields.length;
      if (cells > conversionLimits.cells) throw new Unconvertible(`has more than ${conversionLimits.cells} fields`);
      rows.push([...fields]);
    }
  } catch (error) {
    if (error instanceof CsvError) throw new Unconvertible(error.message);
    throw error;
  }
  return rows;
}

export function csvOfRows(rows: readonly (readonly Cell[])[], delimiter: string): string {
  return rows
    .map((row) =>
      csvLine(
        row.map((cell) => (cell === null ? null : String(cell))),
        delimiter,
      ),
    )
    .join("");
}

/** Rows as objects, named by the first row; of two columns with the same name, the later wins. */
export function recordsOf(rows: readonly (readonly unknown[])[]): object[] {
  const [names = [], ...rest] = rows;
  const keys = names.map((name, index) => (name === null || name === "" ? `column${index + 1}` : String(name)));
  return rest.map((row) => {
    const entries = keys.map((key, index) => [key, row[index] ?? null] as const);
    // fromEntries, so that a column may be named `__proto__`.
    return Object.fromEntries(entries);
  });
}

/**
 * A list of objects or lists as rows of cells; with `header`, the objects' keys come first. Values that no cell can
 * hold are written as JSON.
 */
export function rowsOfValue(value: unknown, header: boolean): Cell[][] {
  const list = Array.isArray(value) ? value : [value];
  const names = new Set<string>();
  for (const item of list) if (isRecord(item)) for (const name of Object.keys(item)) names.add(name);
  if (names.size * list.length > conversionLimits.cells) {
    throw new Unconvertible(`has more than ${conversionLimits.cells} fields`);
  }
  const rows = list.map((item) => {
    if (Array.isArray(item)) return item.map(cellOf);
    if (isRecord(item)) return [...names].map((name) => cellOf(Object.hasOwn(item, name) ? item[name] : null));
    throw new Unconvertible("a row must be an object or a list");
  });
  return header && names.size > 0 ? [[...names], ...rows] : rows;
}

function isRecord(item: unknown): item is Record<string, unknown> {
  return typeof item === "object" && item !== null && !Array.isArray(item);
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return JSON.stringify(value);
}
