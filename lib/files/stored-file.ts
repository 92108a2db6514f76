import { toStorableText } from "#lib/engine/flow.ts";
import { AppError } from "#lib/errors.ts";
import type { FileReference } from "#lib/nodes/files/file-access.ts";

/** Where a file's bytes are. */
export type Place = "database" | "disk" | "bucket";

/** A stored file without its bytes. */
export interface StoredFile extends FileReference {
  readonly workspaceId: string;
  readonly place: Place;
  readonly createdAt: Date;
}

export type FileRow = {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly content_type: string;
  readonly place: Place;
  readonly size: string;
  readonly sha256: string;
  readonly created_at: Date;
};
export const fileColumns = "id, workspace_id, name, content_type, place, size, sha256, created_at";

export function storedFile(row: FileRow): StoredFile {
  const { id, name, content_type: contentType, sha256, place, created_at: createdAt } = row;
  return {
    file: id,
    name,
    contentType,
    size: Number(row.size),
    sha256,
    place,
    createdAt,
    workspaceId: row.workspace_id,
  };
}

export function referenceTo({ file, name, contentType, size, sha256 }: FileReference): FileReference {
  return { file, name, contentType, size, sha256 };
}

export const nameCharactersMax = 255;
const nameDefault = "file";

/** A file's name as stored: one line of text. Slashes are kept: they group files into folders. */
export function storableName(given: string | null | undefined): string {
  const line = toStorableText(given ?? "").replace(/[\p{Cc}\u2028\u2029]/gu, " ");
  return cutText(line.trim(), nameCharactersMax) || nameDefault;
}

export const contentTypeDefault = "application/octet-stream";
const typeName = String.raw`[\w!#$&^.+-]{1,127}`;
const typeParameter = String.raw`\s*;\s*[\w!#$&^.+-]{1,64}=("[\x20-\x21\x23-\x7e]{0,100}"|[\w!#$&^.+'-]{1,100})`;
const mediaType = new RegExp(String.raw`^${typeName}\/${typeName}(${typeParameter}){0,4}$`);

/** A media type such as `text/csv; charset=utf-8`; anything else is bytes. */
export function storableType(given: string | null | undefined): string {
  const type = (given ?? "").trim();
  return type.length <= 255 && mediaType.test(type) ? type : contentTypeDefault;
}

/** Cuts a text without splitting a surrogate pair. */
function cutText(text: string, charactersMax: number): string {
  const cut = text.slice(0, charactersMax);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

export function fileTooLarge(bytesMax: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The file is over the limit of ${bytesMax} bytes`);
}
