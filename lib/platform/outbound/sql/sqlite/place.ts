import { lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type SqliteFile, SqlRefused } from "../sql-server.ts";

/** Including their logs. */
const filesMax = 300;

const missing = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT";
const refused = (message: string) => new SqlRefused("SQL_FILE", message);

/**
 * The path of a database's file, and how many bytes it may take: what the workspace's other databases leave. Creates
 * the folder if the file may be created. Throws SqlRefused for a path that is missing, not a file, or leads through a
 * link.
 */
export function placeOf({ folder, file, access, bytesMax }: SqliteFile): { path: string; bytesLeft: number } {
  const parts = file.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..") || /[\\\0]/.test(file)) {
    throw refused("The file's path must lie below the workspace's folder");
  }
  const path = join(folder, ...parts);
  if (access === "create") makeFolders(folder, parts.slice(0, -1));
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined && access !== "create") {
    throw refused(`There is no database ${file}: set the credential's access to create`);
  }
  if (found !== undefined && !found.isFile()) throw refused(`${file} is not a file`);
  if (realpathSync(dirname(path)) !== dirname(path)) throw refused(`${file} is reached through a link`);
  const others = bytesBeside(folder, path, found === undefined);
  return { path, bytesLeft: Math.max(0, bytesMax - others) };
}

/** Creates folders one by one, so that none leads elsewhere. */
function makeFolders(folder: string, parts: readonly string[]): void {
  let path = folder;
  for (const part of parts) {
    path = join(path, part);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) mkdirSync(path, { recursive: true, mode: 0o700 });
    else if (!found.isDirectory()) throw refused(`${part} is not a folder`);
  }
}

function bytesBeside(folder: string, path: string, isNew: boolean): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  if (isNew && files.length > filesMax) throw refused("The workspace has too many databases");
  return files.filter((file) => file !== path).reduce((sum, file) => sum + bytesOf(file), 0);
}

function bytesOf(path: string): number {
  try {
    const found = statSync(path);
    return found.isFile() ? found.size : 0;
  } catch (error) {
    // Log files may disappear.
    if (missing(error)) return 0;
    throw error;
  }
}
