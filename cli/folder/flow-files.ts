// Flow files: finding them, naming new ones, and writing them.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, posix, relative, sep } from "node:path";
import { Failure, fileFailure } from "../failure.ts";

export const flowEnding = ".flow.yaml";
/** The maximum size of a file: a flow at its limits, with all its tests, is smaller. */
const fileBytesMax = 32 * 1_048_576;
const filesMax = 10_000;
const nameCharactersMax = 80;
/** Names reserved by Windows for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** The paths of all flow files in a folder and its subfolders, relative and with `/`. Skips hidden folders. */
export function findFlowFiles(folder: string): string[] {
  const found: string[] = [];
  const open = [""];
  for (const at of open) {
    const entries = readFolder(join(folder, at));
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = posix.join(at, entry.name);
      if (entry.isDirectory() && !isSkipped(entry.name)) open.push(path);
      else if (entry.isFile() && entry.name.endsWith(flowEnding)) found.push(path);
    }
    if (found.length + open.length > filesMax) throw new Failure("usage", `${folder} has more than ${filesMax} files`);
  }
  return found.toSorted();
}

function isSkipped(folder: string): boolean {
  return folder.startsWith(".") || folder === "node_modules";
}

/** Whether a path below a folder, with `/`, would be found there. */
export function isFlowPath(path: string): boolean {
  return path.endsWith(flowEnding) && !path.split("/").slice(0, -1).some(isSkipped);
}

function readFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    throw fileFailure(path, error);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Text without a byte order mark. Refuses another encoding: read as UTF-8 it would lose characters, and they would be
 * sent or written back without them. Throws Failure.
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Failure("usage", `${name}: is not UTF-8: save it as UTF-8`);
  }
}

/** A file's text, or null if it does not exist. Throws Failure. */
export function readText(path: string): string | null {
  try {
    if (statSync(path).size > fileBytesMax) throw new Failure("usage", `${path}: is larger than a flow can be`);
    return decodeText(readFileSync(path), path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw fileFailure(path, error);
  }
}

/** Like `readText`, for a file that must exist. Throws Failure. */
export function requireText(path: string): string {
  const text = readText(path);
  if (text === null) throw fileFailure(path, { code: "ENOENT" });
  return text;
}

/** Replaces a file atomically, even if the process or the machine stops. */
export function writeAtomically(path: string, text: string, mode = 0o666): void {
  mkdirSync(dirname(path), { recursive: true });
  const own = join(dirname(path), `.${basename(path)}.${process.pid}-${Math.round(performance.now() * 1_000)}`);
  try {
    const file = openSync(own, "wx", mode);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(own, path);
  } catch (error) {
    rmSync(own, { force: true });
    throw fileFailure(path, error);
  }
}

/** Whether a path given by the user is a flow file inside the folder, with links resolved. */
export function isWithin(folder: string, path: string): boolean {
  const isPlain =
    !["\\", ":", "\u0000"].some((character) => path.includes(character)) &&
    posix.normalize(path) === path &&
    path.endsWith(flowEnding);
  if (!isPlain || path.startsWith("/") || path.split("/").some((part) => part.startsWith("."))) return false;
  const root = realpathSync(folder);
  for (let at = dirname(join(root, path)); at.length >= root.length; at = dirname(at)) {
    try {
      const real = relative(root, realpathSync(at));
      return real !== ".." && !real.startsWith(`..${sep}`);
    } catch {
      // It does not exist yet: check its parent.
    }
  }
  return false;
}

/**
 * A file name for a new flow, made from the flow's name: letters, digits and dashes only, so that it can neither leave
 * the folder nor mean something to a shell. `taken`: paths, compared case-insensitively.
 */
export function fileNameFor(name: string, taken: Iterable<string>): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, nameCharactersMax)
    .replace(/^-+|-+$/g, "");
  const stem = plain === "" || reserved.test(plain) ? `flow${plain === "" ? "" : `-${plain}`}` : plain;
  const known = new Set([...taken].map((path) => path.toLowerCase()));
  for (let count = 1; ; count += 1) {
    const file = `${stem}${count === 1 ? "" : `-${count}`}${flowEnding}`;
    if (!known.has(file)) return file;
  }
}
