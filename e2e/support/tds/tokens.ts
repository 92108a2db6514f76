// SQL Server's answers as bytes of its protocol (MS-TDS): results, errors, and their ends.

/** A column type: its declaration, and how to write a value. */
interface TdsType {
  readonly info: Buffer;
  readonly write: (value: never) => Buffer;
}

const bytes = (...values: number[]) => Buffer.from(values);
const int16 = (value: number) => bytes(value & 255, (value >> 8) & 255);
const int32 = (value: number) => {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32LE(value);
  return buffer;
};
const int64 = (value: bigint) => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64LE(value);
  return buffer;
};
/** Little-endian, in this many bytes. */
const unsigned = (value: bigint, length: number) =>
  Buffer.from(Array.from({ length }, (_, index) => Number((value >> BigInt(index * 8)) & 255n)));
const wide = (text: string) => Buffer.from(text, "utf16le");
const named = (text: string) => Buffer.concat([bytes(text.length), wide(text)]);
const collation = bytes(0x09, 0x04, 0xd0, 0x00, 0x34);

/** A type whose value has its length in one byte before it; 0 is null. */
const short = <Value>(info: readonly number[], write: (value: Value) => Buffer) => ({
  info: Buffer.from(info),
  write: (value: Value | null) => {
    const data = value === null ? Buffer.alloc(0) : write(value);
    return Buffer.concat([bytes(data.length), data]);
  },
});
/** A type whose value has its length in two bytes before it; 0xffff is null. */
const long = <Value>(info: Buffer, write: (value: Value) => Buffer) => ({
  info,
  write: (value: Value | null) => {
    if (value === null) return bytes(0xff, 0xff);
    const data = write(value);
    return Buffer.concat([int16(data.length), data]);
  },
});
const daysTo = (date: string) => BigInt(Math.round((Date.parse(date) - Date.parse("0001-01-01")) / 86_400_000));

export const types = {
  int: short<number>([0x26, 4], int32),
  bigint: short<bigint>([0x26, 8], int64),
  bit: short<boolean>([0x68, 1], (value) => bytes(Number(value))),
  float: short<number>([0x6d, 8], (value) => {
    const buffer = Buffer.alloc(8);
    buffer.writeDoubleLE(value);
    return buffer;
  }),
  /** In units of the last of its ten places. */
  decimal: short<bigint>([0x6c, 17, 38, 10], (value) =>
    Buffer.concat([bytes(value < 0n ? 0 : 1), unsigned(value < 0n ? -value : value, 16)]),
  ),
  /** In ten-thousandths. */
  money: short<bigint>([0x6e, 8], (value) =>
    Buffer.concat([int32(Number(value >> 32n)), unsigned(value & 0xffff_ffffn, 4)]),
  ),
  date: short<string>([0x28], (value) => unsigned(daysTo(value), 3)),
  /** A date, and 100 nanoseconds since midnight. */
  datetime2: short<readonly [string, bigint]>([0x2a, 7], ([date, time]) =>
    Buffer.concat([unsigned(time, 5), unsigned(daysTo(date), 3)]),
  ),
  time: short<bigint>([0x29, 7], (value) => unsigned(value, 5)),
  /** As datetime2 in UTC, and the zone's offset in minutes. */
  datetimeoffset: short<readonly [string, bigint, number]>([0x2b, 7], ([date, time, minutes]) =>
    Buffer.concat([unsigned(time, 5), unsigned(daysTo(date), 3), int16(minutes)]),
  ),
  /** Days since 1900, and 300ths of a second. */
  datetime: short<readonly [number, number]>([0x6f, 8], ([days, rest]) => Buffer.concat([int32(days), int32(rest)])),
  guid: short<Buffer>([0x24, 16], (value) => value),
  varbinary: long<Buffer>(Buffer.concat([bytes(0xa5), int16(8_000)]), (value) => value),
  nvarchar: long<string>(Buffer.concat([bytes(0xe7), int16(8_000), collation]), wide),
  /** In one piece, however long. */
  nvarcharMax: {
    info: Buffer.concat([bytes(0xe7, 0xff, 0xff), collation]),
    write: (value: string | null) => {
      if (value === null) return Buffer.alloc(8, 0xff);
      const data = wide(value);
      const piece = data.length === 0 ? [] : [int32(data.length), data];
      return Buffer.concat([int64(BigInt(data.length)), ...piece, int32(0)]);
    },
  },
} as const satisfies Record<string, TdsType>;

export type TypeName = keyof typeof types;

/** A result's columns. */
export function columns(...list: readonly (readonly [name: string, type: TypeName])[]): Buffer {
  const described = list.map(([name, type]) =>
    Buffer.concat([Buffer.alloc(4), int16(0x09), types[type].info, named(name)]),
  );
  return Buffer.concat([bytes(0x81), int16(list.length), ...described]);
}

export function row(...cells: readonly (readonly [type: TypeName, value: unknown])[]): Buffer {
  return Buffer.concat([bytes(0xd1), ...cells.map(([type, value]) => types[type].write(value as never))]);
}

/** A row of only nulls, as a bitmap. */
export function nullRow(count: number): Buffer {
  return Buffer.concat([bytes(0xd2), Buffer.alloc(Math.ceil(count / 8), 0xff)]);
}

/** The end of an RPC's statement, and how many rows it returned or changed. */
export function doneInProcedure(count: number): Buffer {
  return Buffer.concat([bytes(0xff), int16(0x11), int16(0xc1), int64(BigInt(count))]);
}

/** The end of an answer; `count`: of a batch. */
export function done(token: 0xfd | 0xfe = 0xfe, status = 0): Buffer {
  return Buffer.concat([bytes(token), int16(status), int16(0), int64(0n)]);
}

export function failure(number: number, message: string, severity = 16): Buffer {
  const body = Buffer.concat([
    int32(number),
    bytes(1, severity),
    int16(message.length),
    wide(message),
    named("SERVER"),
    named(""),
    int32(1),
  ]);
  return Buffer.concat([bytes(0xaa), int16(body.length), body]);
}

/** The sign-in is accepted. */
export function loginAck(): Buffer {
  const body = Buffer.concat([bytes(1, 0x74, 0, 0, 4), named("Microsoft SQL Server"), bytes(16, 0, 0x10, 0)]);
  return Buffer.concat([bytes(0xad), int16(body.length), body, done(0xfd)]);
}

/** Redirects the client to another server. */
export function routing(host: string, port: number): Buffer {
  const target = Buffer.concat([bytes(0), int16(port), int16(host.length), wide(host)]);
  const body = Buffer.concat([bytes(20), int16(target.length), target, int16(0)]);
  return Buffer.concat([bytes(0xe3), int16(body.length), body]);
}
