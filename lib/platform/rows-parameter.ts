/** A column of a statement's rows: its SQL type, and its values as one parameter. */
export interface Column<Row> {
  readonly type: "text" | "int" | "timestamptz";
  readonly of: (row: Row) => string | number | null;
  readonly array: (rows: readonly Row[]) => Buffer;
}

/** Columns by their names in SQL, in the order of their parameters. */
export type Columns<Row, Name extends string = string> = Readonly<Record<Name, Column<Row>>>;

export function text<Row>(of: (row: Row) => string | null): Column<Row> {
  return column("text", of);
}

export function int<Row>(of: (row: Row) => number | null): Column<Row> {
  return column("int", of);
}

/** From ISO 8601 times. */
export function time<Row>(of: (row: Row) => string | null): Column<Row> {
  return column("timestamptz", of);
}

const arrays = { text: textArray, int: intArray, timestamptz: timeArray };

function column<Row>(type: Column<Row>["type"], of: Column<Row>["of"]): Column<Row> {
  const arrayOf = arrays[type] as (values: readonly ReturnType<typeof of>[]) => Buffer;
  return { type, of, array: (rows) => arrayOf(rows.map(of)) };
}

/** These columns for rows nested in others; `inner` returns the nested row. */
export function within<Outer, Inner, Name extends string>(
  columns: Columns<Inner, Name>,
  inner: (row: Outer) => Inner,
): Columns<Outer, Name> {
  const lifted = Object.entries<Column<Inner>>(columns).map(([name, { type, of }]) => [
    name,
    column(type, (row: Outer) => of(inner(row))),
  ]);
  return Object.fromEntries(lifted);
}

/** `id, flow_id, …`, or `n.id, n.flow_id, …`. */
export function namesOf(columns: Columns<never>, alias?: string): string {
  const names = Object.keys(columns);
  return names.map((name) => (alias === undefined ? name : `${alias}.${name}`)).join(", ");
}

/**
 * Rows as parameters of a statement: one array per column, numbered from `first`, which `unnest` turns back into rows.
 * The statement's text and its values come from one description, so they always match.
 */
export class RowsParameter<Row, Name extends string> {
  readonly columns: Columns<Row, Name>;
  /** The number of the parameter after these. */
  readonly next: number;
  readonly #list: readonly (readonly [string, Column<Row>])[];
  readonly #first: number;

  constructor(columns: Columns<Row, Name>, first: number) {
    this.columns = columns;
    this.#list = Object.entries(columns);
    this.#first = first;
    this.next = first + this.#list.length;
  }

  /** A column as an array: `$3::text[]`. */
  at(name: Name): string {
    const place = this.#list.findIndex(([known]) => known === name);
    return this.#parameter(place);
  }

  /** The rows in a FROM clause: `unnest(…) AS n(id, flow_id, …)`. */
  as(alias: string): string {
    // PostgreSQL replans a statement whenever arrays of known length are short, which takes longer than running it. A
    // subquery as the first array hides its length.
    const arrays = this.#list.map((_, index) =>
      index === 0 ? `(SELECT ${this.#parameter(index)})` : this.#parameter(index),
    );
    return `unnest(${arrays.join(", ")}) AS ${alias}(${namesOf(this.columns)})`;
  }

  values(rows: readonly Row[]): Buffer[] {
    return this.#list.map(([, column]) => column.array(rows));
  }

  #parameter(place: number): string {
    return `$${this.#first + place}::${this.#list[place]?.[1].type}[]`;
  }
}

// Arrays as statement parameters in PostgreSQL's binary form. The text form is escaped here and parsed there, a third
// of the cost of sending a batch of rows.

/** PostgreSQL's OIDs of element types. */
const types = { text: 25, int4: 23, timestamptz: 1184 } as const;

const headBytes = 20;
const lengthBytes = 4;
const nullLength = -1;
const intBytes = 4;
const timeBytes = 8;
/** PostgreSQL counts microseconds from the start of 2000. */
const epochMs = Date.UTC(2000, 0, 1);

/** For `$n::text[]`. */
export function textArray(values: readonly (string | null)[]): Buffer {
  let bytes = 0;
  for (const value of values) if (value !== null) bytes += Buffer.byteLength(value);
  const array = withHead(types.text, values, bytes);
  let at = headBytes;
  for (const value of values) {
    const length = value === null ? nullLength : array.write(value, at + lengthBytes);
    array.writeInt32BE(length, at);
    at += lengthBytes + Math.max(0, length);
  }
  return array;
}

/** For `$n::int[]`. */
export function intArray(values: readonly (number | null)[]): Buffer {
  return fixedArray(types.int4, values, intBytes, (array, value, at) => array.writeInt32BE(value, at));
}

/** For `$n::timestamptz[]`, from ISO 8601 times. */
export function timeArray(values: readonly (string | null)[]): Buffer {
  return fixedArray(types.timestamptz, values, timeBytes, (array, value, at) => {
    // A number holds the microseconds of 285 years exactly; later times may be off by a few, but are stored to the
    // millisecond. Writing its two halves is faster than creating a BigInt.
    const microseconds = (Date.parse(value) - epochMs) * 1_000;
    array.writeInt32BE(Math.floor(microseconds / 2 ** 32), at);
    array.writeInt32BE(microseconds | 0, at + timeBytes / 2);
  });
}

function fixedArray<Value>(
  type: number,
  values: readonly (Value | null)[],
  bytes: number,
  write: (array: Buffer, value: Value, at: number) => void,
): Buffer {
  const present = values.reduce((count, value) => (value === null ? count : count + 1), 0);
  const array = withHead(type, values, present * bytes);
  let at = headBytes;
  for (const value of values) {
    array.writeInt32BE(value === null ? nullLength : bytes, at);
    at += lengthBytes;
    if (value === null) continue;
    write(array, value, at);
    at += bytes;
  }
  return array;
}

/** A one-dimensional array, with room for its elements after the header. */
function withHead(type: number, values: readonly unknown[], bytes: number): Buffer {
  const array = Buffer.allocUnsafe(headBytes + values.length * lengthBytes + bytes);
  const dimensions = 1;
  const firstIndex = 1;
  array.writeInt32BE(dimensions, 0);
  array.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  array.writeInt32BE(type, 8);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(firstIndex, 16);
  return array;
}
