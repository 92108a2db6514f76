/** A file as passed through flows; its bytes are not. */
export interface FileReference {
  readonly file: string;
  readonly name: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** A file that a node creates. */
export interface NewFile {
  readonly name: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly bytesExpected?: number | undefined;
}

/**
 * A node's port to the workspace's files. All methods throw `NodeFailure`: FILE_NOT_FOUND, FILE_TOO_LARGE,
 * FILES_UNAVAILABLE.
 */
export interface FileAccess {
  /** The file of a reference, or of an id. */
  find(reference: unknown): Promise<FileReference>;
  /** Streams its bytes. */
  open(file: FileReference): AsyncIterable<Uint8Array>;
  /** A value as it may be written to a file: the run's secrets are masked. */
  withoutSecrets<Value>(value: Value): Promise<Value>;
  /** The same for the bytes of a text as they arrive. */
  textWithoutSecrets(bytes: AsyncIterable<Uint8Array>, charset: string): AsyncIterable<Uint8Array>;
  /** Stores a file as its bytes arrive. */
  save(file: NewFile): Promise<FileReference>;
  /** The newest file of this name; null for none. */
  named(name: string): Promise<FileReference | null>;
  /** Files whose names begin with `prefix`, by name. */
  list(prefix: string, limit: number): Promise<readonly FileReference[]>;
  /** Deletes files; returns how many there were. */
  delete(ids: readonly string[]): Promise<number>;
  /** A URL at which anyone may read the file. `until`: when it expires, in epoch milliseconds. */
  sign(file: FileReference, until: number): string;
}

/** Whether a value is a file's reference. */
export function isReference(value: unknown): value is { readonly file: string } {
  return typeof value === "object" && value !== null && "file" in value && /^file_/.test(String(value.file));
}
