/** A file as flows pass it on. */
export interface FileReference {
  readonly file: string;
  readonly name: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

/** A file that a node makes. */
export interface NewFile {
  readonly name: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly bytesExpected?: number | undefined;
}

/** The workspace's files, as nodes use them. Everything throws `NodeFailure`: FILE_NOT_FOUND, FILE_TOO_LARGE, FILES_UNAVAILABLE. */
export interface FileAccess {
  /** The file of a reference, or of an id. */
  find(reference: unknown): Promise<FileReference>;
  /** Its bytes, as they are read. */
  open(file: FileReference): AsyncIterable<Uint8Array>;
  /** Stores a file as its bytes come. */
  save(file: NewFile): Promise<FileReference>;
  /** The newest file of this name; null for none. */
  named(name: string): Promise<FileReference | null>;
  /** Files whose names begin so, by name. */
  list(prefix: string, limit: number): Promise<readonly FileReference[]>;
  /** Deletes files; returns how many there were. */
  delete(ids: readonly string[]): Promise<number>;
  /** An address that anyone may read the file at until then: epoch milliseconds. */
  sign(file: FileReference, until: number): string;
}

/** Whether a value is a file's reference. */
export function isReference(value: unknown): value is { readonly file: string } {
  return typeof value === "object" && value !== null && "file" in value && /^file_/.test(String(value.file));
}
