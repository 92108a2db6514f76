// What a folder knows about a server, in `.millrace/`: which flow each file is (`flows.json`, committed to git), and each
// flow as last pulled or pushed (`pulled/`, local to this machine). It contains no keys.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { Failure } from "../failure.ts";
import { isWithin, readText, writeAtomically } from "./flow-files.ts";

/** A flow as it was on the server. */
export interface Pulled {
  /** Canonical. */
  readonly text: string;
}

const flowId = /^flow_[0-9a-z]{26}$/;

/** Refuses an invalid flow id from a server: files are named after it, and could be outside the folder. Throws Failure. */
export function requireFlowId(id: string): void {
  if (!flowId.test(id)) throw new Failure("server", `The server sent an invalid flow id: "${id}"`);
}

export class FolderState {
  readonly folder: string;
  readonly #server: string;
  readonly #place: string;

  constructor(folder: string, server: string) {
    this.folder = folder;
    this.#server = server;
    this.#place = join(folder, ".millrace");
  }

  /** The flow of each file on this server. Validates manual edits. Throws Failure. */
  files(): Map<string, string> {
    const own = Object.entries(this.#readAll()[this.#server] ?? {});
    for (const [file, id] of own) {
      if (isWithin(this.folder, file) && typeof id === "string" && flowId.test(id)) continue;
      throw new Failure(
        "usage",
        `${this.#flowsFile}: "${file}" is no flow's file in this folder, or "${id}" no flow's id`,
      );
    }
    return new Map(own);
  }

  /** Records the flow of a file; null removes the record. */
  keepFile(file: string, id: string | null): void {
    if (id !== null) requireFlowId(id);
    const all = this.#readAll();
    const own = { ...all[this.#server] };
    if (id !== null && own[file] === id) return;
    for (const [other, known] of Object.entries(own)) if (known === id) delete own[other];
    if (id === null) delete own[file];
    else own[file] = id;
    const sorted = Object.fromEntries(Object.entries(own).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    this.prepare();
    writeAtomically(this.#flowsFile, `${JSON.stringify({ ...all, [this.#server]: sorted }, null, 2)}\n`);
  }

  /** Null if it was never pulled here, or the record is unreadable. */
  pulled(id: string): Pulled | null {
    const text = readText(this.#pulledFile(id));
    if (text === null) return null;
    try {
      const { text: flow } = JSON.parse(text);
      return typeof flow === "string" ? { text: flow } : null;
    } catch {
      return null;
    }
  }

  keepPulled(id: string, pulled: Pulled): void {
    const text = `${JSON.stringify(pulled)}\n`;
    if (readText(this.#pulledFile(id)) === text) return;
    this.prepare();
    writeAtomically(this.#pulledFile(id), text);
  }

  forget(file: string, id: string): void {
    this.keepFile(file, null);
    rmSync(this.#pulledFile(id), { force: true });
  }

  /** Creates the state folder. Git keeps only `flows.json`. */
  prepare(): void {
    mkdirSync(join(this.#place, "pulled"), { recursive: true });
    const ignored = join(this.#place, ".gitignore");
    if (readText(ignored) === null) writeFileSync(ignored, "*\n!.gitignore\n!flows.json\n");
  }

  get lockFile(): string {
    return join(this.#place, "lock");
  }

  get #flowsFile(): string {
    return join(this.#place, "flows.json");
  }

  #pulledFile(id: string): string {
    requireFlowId(id);
    return join(this.#place, "pulled", `${id}.json`);
  }

  #readAll(): Record<string, Record<string, string>> {
    const text = readText(this.#flowsFile) ?? "{}";
    const refuse = (why: string) => new Failure("usage", `${this.#flowsFile} ${why}`);
    if (/^(<{7}|={7}|>{7})/m.test(text)) throw refuse("has merge conflicts: resolve them first");
    try {
      const all: unknown = JSON.parse(text);
      const isTable = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
      if (isTable(all) && Object.values(all as object).every(isTable)) return all as never;
    } catch {
      // Reported below.
    }
    throw refuse("was not written by millrace");
  }
}

/** The folder that a file was pulled into: the nearest one above it with a record of its flows; otherwise the current one. */
export function pulledFolderOf(file: string): string {
  for (let at = dirname(resolve(file)); ; at = dirname(at)) {
    if (existsSync(join(at, ".millrace", "flows.json"))) return at;
    if (at === dirname(at)) return ".";
  }
}

/** A path as the records of a folder have it. */
export function pathIn(folder: string, file: string): string {
  return relative(folder, resolve(file)).split(sep).join("/");
}

/** The records of all servers, for offline commands that need a flow's file. */
export function filesByFlow(folder: string): Map<string, string> {
  const text = readText(join(folder, ".millrace", "flows.json"));
  try {
    const all = Object.values(JSON.parse(text ?? "{}") as Record<string, Record<string, unknown>>);
    const pairs = all.flatMap((own) => Object.entries(own).map(([file, id]) => [String(id), file] as const));
    return new Map(pairs.filter(([, file]) => isWithin(folder, file)));
  } catch {
    return new Map();
  }
}

/** The last pulled texts by file, for offline commands; if several servers have a file, from the first one. */
export function allPulled(folder: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [id, file] of filesByFlow(folder)) {
    const text = new FolderState(folder, "").pulled(id)?.text;
    if (text !== undefined && !texts.has(file)) texts.set(file, text);
  }
  return texts;
}
