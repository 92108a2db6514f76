// Stores keys in a file that only its owner can read, never in a project's folder.
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Failure } from "../failure.ts";
import { writeAtomically } from "../folder/flow-files.ts";
import { withLock } from "../folder/lock.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

interface KeyFile {
  /** The default server. */
  readonly current?: string;
  /** Keys by server URL. */
  readonly keys: Readonly<Record<string, string>>;
}

export interface Access {
  readonly url: string;
  readonly key: string;
}

const defaultUrl = "http://localhost:3000";

export function keyFilePath({ XDG_CONFIG_HOME, HOME }: Environment): string {
  const config = XDG_CONFIG_HOME !== undefined && XDG_CONFIG_HOME !== "" ? XDG_CONFIG_HOME : undefined;
  return join(config ?? join(HOME ?? homedir(), ".config"), "millrace", "keys.json");
}

/** A server URL in normal form, without a trailing slash. Throws Failure. */
export function serverUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Failure("usage", `"${given}" is not a server URL: it must start with http:// or https://`);
  }
  if (url.username !== "" || url.password !== "") throw new Failure("usage", "The URL must not contain a password");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** The server to use. Throws Failure. */
export function currentServer(environment: Environment): string {
  const { MILLRACE_URL: given } = environment;
  if (given !== undefined && given !== "") return serverUrl(given);
  return readKeys(environment).current ?? defaultUrl;
}

/** The server and its key. Throws Failure if there is no key, or other users can read its file. */
export function accessOf(environment: Environment): Access {
  const url = currentServer(environment);
  const { MILLRACE_API_KEY: given = "" } = environment;
  const key = given.trim() || readKeys(environment).keys[url];
  if (key !== undefined && isKey(key)) return { url, key };
  // As a header it would be refused with a message that tells it.
  if (key !== undefined) throw new Failure("usage", `What is set as the key for ${url} is not an API key`);
  throw new Failure("usage", `There is no key for ${url}. Run "millrace login", or set MILLRACE_API_KEY.`);
}

/** Whether a text can be an API key: no spaces, no line breaks, no other letters. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,500}$/.test(text);
}

/** Throws Failure if others could read the file, or if its content is invalid. */
export function readKeys(environment: Environment): KeyFile {
  const path = keyFilePath(environment);
  let text: string;
  try {
    const { mode, uid } = statSync(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new Failure("usage", `Others can read the keys in ${path}. Run: chmod 600 ${path}`);
    }
    if (process.getuid !== undefined && uid !== process.getuid()) {
      throw new Failure("usage", `${path} belongs to another user`);
    }
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { keys: {} };
    throw error;
  }
  try {
    const { current, keys } = JSON.parse(text) as { current?: unknown; keys?: unknown };
    const known = Object.entries(keys as object).filter(([, key]) => typeof key === "string");
    return { keys: Object.fromEntries(known), ...(typeof current === "string" ? { current: serverUrl(current) } : {}) };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("usage", `${path} cannot be read. Delete it, and run "millrace login" again.`);
  }
}

/** Stores a key, and makes its server the default. Returns the file's path. Throws Failure. */
export async function keepKey(environment: Environment, { url, key }: Access): Promise<string> {
  const path = keyFilePath(environment);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await withLock(`${path}.lock`, path, async () => {
    const { keys } = readKeys(environment);
    const content: KeyFile = { current: url, keys: { ...keys, [url]: key } };
    writeAtomically(path, `${JSON.stringify(content, null, 2)}\n`, 0o600);
  });
  return path;
}
