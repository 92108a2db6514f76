import type { ColumnMetadata } from "tedious/lib/token/colmetadata-token-parser.js";

export interface Column {
  readonly value: unknown;
  readonly metadata: ColumnMetadata;
}

interface ValueParser {
  readValue(
    buffer: Buffer,
    offset: number,
    metadata: Pick<ColumnMetadata, "type" | "scale">,
    options: unknown,
  ): { readonly value: unknown; readonly offset: number };
}

let isExact = false;

/**
 * Makes the driver read `decimal`, `numeric` and `money` as text: it converts them to doubles, which lose digits, and
 * has no option to prevent it. Its own reader runs first, so that only complete values are parsed again.
 */
export async function readExactNumbers(): Promise<void> {
  if (isExact) return;
  const { default: parser } = (await import("tedious/lib/value-parser.js")) as unknown as { default: ValueParser };
  if (isExact) return;
  isExact = true;
  const { readValue } = parser;
  parser.readValue = (buffer, offset, metadata, options) => {
    const read = readValue(buffer, offset, metadata, options);
    if (typeof read.value !== "number") return read;
    const text = exactText(metadata, buffer.subarray(offset, read.offset));
    return text === undefined ? read : { value: text, offset: read.offset };
  };
}

/** Undefined for values of other types. `bytes`: as received, including their length if the type has one. */
function exactText({ type, scale = 0 }: Pick<ColumnMetadata, "type" | "scale">, bytes: Buffer): string | undefined {
  switch (type.name) {
    case "DecimalN":
    case "NumericN": {
      const sign = bytes[1] === 1 ? 1n : -1n;
      return withPoint(sign * BigInt(`0x${Buffer.from(bytes.subarray(2)).reverse().toString("hex")}`), scale);
    }
    case "SmallMoney":
      return withPoint(moneyOf(bytes), 4);
    case "Money":
      return withPoint(moneyOf(bytes), 4);
    case "MoneyN":
      return withPoint(moneyOf(bytes.subarray(1)), 4);
    default:
      return undefined;
  }
}

/** In ten-thousandths. The upper half of `money` comes first. */
function moneyOf(bytes: Buffer): bigint {
  if (bytes.length === 4) return BigInt(bytes.readInt32LE(0));
  return (BigInt(bytes.readInt32LE(0)) << 32n) + BigInt(bytes.readUInt32LE(4));
}

function withPoint(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const point = digits.length - scale;
  return `${value < 0n ? "-" : ""}${digits.slice(0, point)}${scale === 0 ? "" : `.${digits.slice(point)}`}`;
}

/** A cell's value: large integers are kept exact, and times without a zone are as the database writes them. */
export function cellOf({ value, metadata }: Column): unknown {
  const { type, scale } = metadata;
  if (typeof value === "string" && (type.name === "BigInt" || type.name === "IntN")) return BigInt(value);
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return value;
  const [date = "", time = ""] = value.toISOString().split("T");
  const clock = time.slice(0, 8);
  switch (type.name) {
    case "Date":
      return date;
    case "Time":
      return `${clock}${fraction(value, scale ?? 7)}`;
    case "DateTime2":
      return `${date} ${clock}${fraction(value, scale ?? 7)}`;
    case "DateTime":
    case "DateTimeN":
      return `${date} ${clock}${fraction(value, metadata.dataLength === 4 ? 0 : 3)}`;
    case "SmallDateTime":
      return `${date} ${clock}`;
    default:
      return value;
  }
}

/** The driver keeps fractions finer than a millisecond separately, in seconds. */
function fraction(date: Date, digits: number): string {
  if (digits === 0) return "";
  const { nanosecondsDelta = 0 } = date as { nanosecondsDelta?: number };
  const ticks = date.getUTCMilliseconds() * 10_000 + Math.round(nanosecondsDelta * 1e7);
  return `.${String(ticks).padStart(7, "0").slice(0, digits)}`;
}
