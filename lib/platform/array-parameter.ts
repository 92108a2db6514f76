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
    // A number holds the microseconds of 285 years exactly; later times may be off by a few, and are stored to the
    // millisecond. Its halves are written faster than a BigInt is made.
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

/** A one-dimensional array, with room for its elements behind the header. */
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
