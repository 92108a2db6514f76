// The contents of a backup, in order: a manifest, every table with its rows in COPY's format, the sequences, and the
// end. Compressed, then sealed.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { z } from "zod";
import { BackupError } from "#lib/errors.ts";
import { opened, sealed } from "./sealed-file.ts";

const manifest = z.object({
  version: z.string(),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  secrets: z.object({
    authSecret: z.string(),
    encryptionKey: z.string(),
    encryptionKeyOld: z.string().optional(),
  }),
  /** The versions of the keys that seal values in the tables. */
  keyVersions: z.array(z.int()),
  /** The number of sealed values that none of the secrets opens, because their key was lost. */
  unopened: z.int().default(0),
});
const table = z.object({ name: z.string(), columns: z.array(z.string()).min(1) });
const sequence = z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() });
const contents = {
  manifest,
  table,
  /** Ends the preceding table. */
  tableEnd: z.object({ rows: z.int() }),
  sequences: z.array(sequence),
  /** A file that is not in the tables; its bytes follow. */
  file: z.object({ id: z.string(), contentType: z.string(), size: z.int(), sha256: z.string() }),
  /** Ends the preceding file, which is incomplete if it was deleted meanwhile. */
  fileEnd: z.object({ isWhole: z.boolean() }),
  /** A workspace's SQLite file, by its path in the workspace's folder; its bytes follow. */
  database: z.object({ workspaceId: z.string(), path: z.string() }),
  /** Ends the preceding database, which is incomplete if it could not be read. */
  databaseEnd: z.object({ size: z.int(), sha256: z.string(), isWhole: z.boolean() }),
  end: z.object({ tables: z.int() }),
} as const;

export type Manifest = z.infer<typeof manifest>;
export type Table = z.infer<typeof table>;
export type BackedUpFile = z.infer<(typeof contents)["file"]>;
export type BackedUpDatabase = z.infer<(typeof contents)["database"]>;
export type DatabaseEnd = z.infer<(typeof contents)["databaseEnd"]>;
export type Sequence = z.infer<typeof sequence>;
type Contents = { [Kind in keyof typeof contents]: z.infer<(typeof contents)[Kind]> };
/** `data`: rows of the preceding table, or bytes of the preceding file or database, split anywhere. */
export type Frame = { [Kind in keyof Contents]: { kind: Kind; content: Contents[Kind] } }[keyof Contents] | DataFrame;
type DataFrame = { kind: "data"; content: Buffer };

const letters = {
  manifest: "M",
  table: "T",
  data: "D",
  tableEnd: "E",
  sequences: "S",
  file: "F",
  fileEnd: "G",
  database: "B",
  databaseEnd: "C",
  end: "Z",
} as const;
const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter.charCodeAt(0), kind as Frame["kind"]]));
const headBytes = 5;
/** A single row may be many times larger, and is split too. */
const dataBytesMax = 262_144;

/** The bytes of a backup's file. */
export async function* toFile(passphrase: string, frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  const compressed = createZstdCompress();
  const feeding = pipeline(Readable.from(encoded(frames), { highWaterMark: 1 }), compressed);
  feeding.catch(() => {}); // Reported to the output's reader.
  yield* sealed(passphrase, compressed);
  await feeding;
}

/** The contents of a backup's file, with its key. Throws a BackupError if it is incomplete. */
export async function* fromFile(file: string, key: Buffer): AsyncGenerator<Frame> {
  const plain = createZstdDecompress();
  const feeding = pipeline(Readable.from(opened(file, key), { highWaterMark: 1 }), plain);
  feeding.catch(() => {});
  let last: Frame["kind"] | undefined;
  for await (const frame of decoded(file, plain)) {
    last = frame.kind;
    yield frame;
  }
  await feeding;
  if (last !== "end") throw new BackupError(`${file} is damaged or truncated: it has no end`);
}

async function* encoded(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  for await (const { kind, content } of frames) {
    const body = kind === "data" ? content : Buffer.from(JSON.stringify(content));
    const size = kind === "data" ? dataBytesMax : body.length;
    for (let from = 0; from < body.length; from += size) {
      const part = body.subarray(from, from + size);
      const head = Buffer.alloc(headBytes);
      head.write(letters[kind], "latin1");
      head.writeUInt32BE(part.length, 1);
      yield head;
      yield part;
    }
  }
}

async function* decoded(file: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  // Joined only once a whole frame has arrived, so that pieces are not copied repeatedly.
  let held: Buffer[] = [];
  let [size, needed] = [0, headBytes];
  for await (const part of bytes) {
    held.push(part);
    size += part.length;
    if (size < needed) continue;
    let rest = held.length === 1 ? part : Buffer.concat(held, size);
    needed = headBytes;
    while (rest.length >= headBytes) {
      needed = headBytes + rest.readUInt32BE(1);
      if (rest.length < needed) break;
      yield frameOf(file, rest[0] ?? 0, rest.subarray(headBytes, needed));
      rest = rest.subarray(needed);
      needed = headBytes;
    }
    held = [rest];
    size = rest.length;
  }
  if (size > 0) throw new BackupError(`${file} is damaged or truncated: it ends within a part`);
}

function frameOf(file: string, letter: number, body: Buffer): Frame {
  const kind = kinds.get(letter);
  if (kind === "data") return { kind, content: body };
  const content = kind && contents[kind].safeParse(JSON.parse(body.toString()));
  if (!content?.success)
    throw new BackupError(`${file} contains data that this version does not know: a newer one made it`);
  return { kind, content: content.data } as Frame;
}
