// Parses what SQL Server clients send, as far as the test server needs it.

/** A statement, and its parameters' values in order. */
export interface TdsStatement {
  readonly text: string;
  /** The parameters' declarations, such as `@p1 int`. */
  readonly declared: string;
  readonly values: readonly unknown[];
}

export interface TdsLogin {
  readonly username: string;
  readonly password: string;
  readonly database: string;
}

export function readLogin(data: Buffer): TdsLogin {
  const field = (place: number) => {
    const start = data.readUInt16LE(place);
    return data.subarray(start, start + data.readUInt16LE(place + 2) * 2);
  };
  const plain = Buffer.from(field(44).map((byte) => ((byte ^ 0xa5) >> 4) | (((byte ^ 0xa5) << 4) & 0xf0)));
  return {
    username: field(40).toString("utf16le"),
    password: plain.toString("utf16le"),
    database: field(68).toString("utf16le"),
  };
}

/** A call of sp_executesql, with the values of its parameters. */
export function readCall(data: Buffer): TdsStatement {
  let place = data.readUInt32LE(0);
  const take = (length: number) => {
    place += length;
    return data.subarray(place - length, place);
  };
  if (take(2).readUInt16LE() !== 0xffff || take(2).readUInt16LE() !== 10) throw new Error("Not sp_executesql");
  take(2);
  const values: unknown[] = [];
  while (place < data.length) {
    take((take(1)[0] ?? 0) * 2);
    take(1);
    values.push(readValue(take));
  }
  const [text, declared = "", ...rest] = values;
  return { text: String(text), declared: String(declared), values: rest };
}

function readValue(take: (length: number) => Buffer): unknown {
  const [type = 0] = take(1);
  if (type === 0xe7) return readText(take);
  take(1);
  const [length = 0] = take(1);
  const value = take(length);
  if (length === 0) return null;
  if (type === 0x68) return value[0] === 1;
  if (type === 0x6d) return value.readDoubleLE();
  if (type === 0x26) return length === 8 ? Number(value.readBigInt64LE()) : value.readIntLE(0, length);
  throw new Error(`No type that is known here: ${type}`);
}

function readText(take: (length: number) => Buffer): string | null {
  const sizeMax = take(2).readUInt16LE();
  take(5);
  if (sizeMax !== 0xffff) {
    const length = take(2).readUInt16LE();
    return length === 0xffff ? null : take(length).toString("utf16le");
  }
  if (take(8).readBigUInt64LE() === 0xffff_ffff_ffff_ffffn) return null;
  const parts: Buffer[] = [];
  for (let length = take(4).readUInt32LE(); length > 0; length = take(4).readUInt32LE()) parts.push(take(length));
  return Buffer.concat(parts).toString("utf16le");
}
