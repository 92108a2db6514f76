import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { AppError } from "#lib/errors.ts";
import { invalidBody } from "#lib/http/read-body.ts";

/** An incoming file of a form. */
export interface PartOfForm {
  readonly field: string;
  readonly name: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface Limits {
  readonly filesMax: number;
  /** Bytes of all plain fields. */
  readonly fieldBytesMax: number;
}

/** A plain field, or a stored file; in order of arrival. */
export type FormEntry<Taken> = readonly [name: string, value: string | Taken];

const fieldsMax = 1_000;
const headersMax = 20;
const headerBytesMax = 16_384;

export function isMultipart(contentType: string | null): boolean {
  return /^\s*multipart\/form-data\s*(;|$)/i.test(contentType ?? "");
}

/**
 * Streams a form: each file is passed to `take`, and the next part is read once `take` has resolved. Throws
 * VALIDATION_ERROR for an invalid form, PAYLOAD_TOO_LARGE, and whatever `take` throws.
 */
export async function readMultipart<Taken>(
  content: AsyncIterable<Uint8Array>,
  contentType: string,
  { filesMax, fieldBytesMax }: Limits,
  take: (part: PartOfForm) => Promise<Taken>,
): Promise<FormEntry<Taken>[]> {
  const parser = parserFor(contentType, { filesMax, fieldBytesMax });
  const entries: (FormEntry<Taken> | Promise<FormEntry<Taken>>)[] = [];
  let failure: { readonly error: unknown } | undefined;
  let fieldBytes = 0;
  const open = new Set<Readable>();
  const fail = (error: unknown) => {
    failure ??= { error };
    parser.destroy();
    for (const file of open) file.destroy();
  };
  // The parser passes on parts without a name.
  parser.on("field", (field: string | undefined, value: string, nameCut: boolean, valueCut: boolean) => {
    if (field === undefined) return fail(unnamedPart());
    fieldBytes += Buffer.byteLength(field) + Buffer.byteLength(value);
    if (nameCut || valueCut || fieldBytes > fieldBytesMax) fail(tooLarge(`fields have over ${fieldBytesMax} bytes`));
    entries.push([field, value]);
  });
  parser.on(
    "file",
    (field: string | undefined, file: BusboyFileStream, name: string | undefined, _coding: string, type: string) => {
      open.add(file);
      // If the form is cut off, the file's reader gets the error too.
      file.on("error", () => {});
      if (field === undefined) return fail(unnamedPart());
      const part = { field, name: name || undefined, contentType: type, bytes: bytesOf(file) };
      const taken = take(part).then(
        (made): FormEntry<Taken> => {
          open.delete(file);
          file.resume();
          return [field, made];
        },
        (error): FormEntry<Taken> => {
          fail(error);
          return [field, ""];
        },
      );
      entries.push(taken);
    },
  );
  parser.on("filesLimit", () =>
    fail(invalidBody(`must have at most ${filesMax} ${filesMax === 1 ? "file" : "files"}`)),
  );
  parser.on("fieldsLimit", () => fail(invalidBody(`must have at most ${fieldsMax} fields`)));
  try {
    await pipeline(Readable.from(content, { objectMode: false }), parser);
  } catch (error) {
    fail(error instanceof AppError ? error : incomplete());
  }
  const all = await Promise.all(entries);
  if (failure !== undefined) throw failure.error;
  return all;
}

async function* bytesOf(file: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* file;
  } catch {
    throw incomplete();
  }
}

function incomplete(): AppError {
  return invalidBody("must be a complete multipart/form-data");
}

function unnamedPart(): AppError {
  return invalidBody("must have a name for each of its parts");
}

function parserFor(contentType: string, { filesMax, fieldBytesMax }: Limits): BusboyInstance {
  const limits = {
    files: filesMax,
    fields: fieldsMax,
    fieldSize: fieldBytesMax,
    fieldNameSize: 1_000,
    headerPairs: headersMax,
    headerSize: headerBytesMax,
  };
  try {
    return new Busboy({ headers: { "content-type": contentType } as BusboyHeaders, limits });
  } catch {
    throw invalidBody("must be multipart/form-data with its boundary in Content-Type");
  }
}

function tooLarge(subject: string): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The form is too large: its ${subject}`);
}
