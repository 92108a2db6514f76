import type { Json, JsonObject } from "#lib/engine/json.ts";
import { shellWords } from "./shell-words.ts";

/** A request's config, and the parts of the command that it does not cover. */
export interface ReadCurl {
  readonly config: JsonObject;
  readonly left: readonly string[];
}

const charactersMax = 262_144;
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Options that take a value, by what they set; others that take a value are ignored. */
const named: Readonly<Record<string, string>> = {
  ...{ "-X": "method", "--request": "method", "-H": "header", "--header": "header", "--url": "url" },
  ...{ "-d": "data", "--data": "data", "--data-ascii": "data", "--data-raw": "raw", "--data-binary": "data" },
  ...{ "--data-urlencode": "encoded", "--json": "json", "-F": "form", "--form": "form", "--form-string": "form" },
  ...{
    "-u": "user",
    "--user": "user",
    "-A": "agent",
    "--user-agent": "agent",
    "-e": "referer",
    "--referer": "referer",
  },
  ...{ "-b": "cookie", "--cookie": "cookie", "-m": "time", "--max-time": "time" },
  ...Object.fromEntries(
    ["-o", "--output", "-w", "--write-out", "-x", "--proxy", "-E", "--cert", "--key", "--cacert", "--connect-timeout"]
      .concat(["--retry", "--retry-delay", "-c", "--cookie-jar", "-T", "--upload-file", "-K", "--config", "--resolve"])
      .concat(["--oauth2-bearer", "--aws-sigv4", "-U", "--proxy-user", "--limit-rate", "-r", "--range", "--max-redirs"])
      .concat(["--interface", "--ciphers", "--retry-max-time", "--unix-socket", "--connect-to", "-D", "--dump-header"])
      .map((name) => [name, "other"]),
  ),
};

interface Command {
  method: string | null;
  url: string | null;
  readonly headers: [name: string, value: string][];
  readonly data: string[];
  readonly form: [name: string, value: string][];
  isJson: boolean;
  isQuery: boolean;
  followsRedirects: boolean;
  timeoutMs: number | null;
  readonly left: Set<string>;
}

/** Whether a text looks like a curl command. */
export const isCurl = (text: string): boolean =>
  /^\s*(\$\s+)?curl(\.exe)?\s/.test(text) && text.length <= charactersMax;

/** Converts a curl command to a request's config; null if it is not one. Nothing is run, no file is read. */
export function readCurl(text: string): ReadCurl | null {
  if (!isCurl(text)) return null;
  const words = shellWords(text.trim().replace(/^\$\s+/, ""));
  if (words === null) return null;
  const command = readOptions(words.slice(1));
  if (command.url === null) return null;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(command.url) ? command.url : `https://${command.url}`;
  const data = command.data.join("&");
  const hasBody = !command.isQuery && (command.data.length > 0 || command.form.length > 0);
  const method = (command.method ?? (hasBody ? "POST" : "GET")).toUpperCase();
  if (!methods.has(method)) command.left.add(`the method ${method}`);
  const isRead = method === "GET" || method === "HEAD";
  if (hasBody && isRead) command.left.add(`the body: a ${method} request sends none`);
  const body = hasBody && !isRead ? bodyOf(command, data) : {};
  const headers = Object.fromEntries(command.headers);
  const config: JsonObject = {
    method: methods.has(method) ? method : "GET",
    url: command.isQuery && data !== "" ? `${url}${url.includes("?") ? "&" : "?"}${data}` : url,
    ...(command.headers.length > 0 ? { headers } : {}),
    ...body,
    ...(command.timeoutMs === null ? {} : { timeout: command.timeoutMs }),
    ...(command.followsRedirects ? {} : { followRedirects: false }),
  };
  return { config, left: [...command.left] };
}

function readOptions(words: readonly string[]): Command {
  const command: Command = {
    ...{ method: null, url: null, headers: [], data: [], form: [], isJson: false, isQuery: false },
    ...{ followsRedirects: false, timeoutMs: null, left: new Set<string>() },
  };
  let at = 0;
  const next = () => words[at++] ?? "";
  while (at < words.length) {
    const word = next();
    if (!word.startsWith("-") || word === "-") {
      command.url ??= word;
      continue;
    }
    for (const [option, given] of optionsIn(word)) {
      const meaning = named[option];
      if (meaning !== undefined) takeValue(command, option, meaning, given ?? next());
      else takeFlag(command, option);
    }
  }
  return command;
}

/** `-XPOST` contains its value; `-sSL` is three options. */
function optionsIn(word: string): [option: string, given?: string][] {
  if (word.startsWith("--")) return [[word]];
  const options: [option: string, given?: string][] = [];
  for (let at = 1; at < word.length; at += 1) {
    const option = `-${word[at]}`;
    const rest = word.slice(at + 1);
    if (named[option] !== undefined) return [...options, rest === "" ? [option] : [option, rest]];
    options.push([option]);
  }
  return options;
}

function takeFlag(command: Command, option: string): void {
  if (option === "-G" || option === "--get") command.isQuery = true;
  else if (option === "-I" || option === "--head") command.method ??= "HEAD";
  else if (option === "-L" || option === "--location") command.followsRedirects = true;
  else if (option === "-k" || option === "--insecure") command.left.add("an unchecked certificate (-k)");
}

function takeValue(command: Command, option: string, meaning: string, value: string): void {
  const isFile = value.startsWith("@") && meaning !== "raw" && option !== "--form-string";
  if (meaning === "method") command.method = value;
  else if (meaning === "url") command.url ??= value;
  else if (meaning === "header") {
    const [, name = "", content = ""] = /^([^:;]+)[:;]\s*([\s\S]*)$/.exec(value) ?? [];
    if (name !== "") command.headers.push([name.trim(), content]);
  } else if (meaning === "form") {
    const [name = "", content = ""] = splitOnce(value, "=");
    if (/^[@<]/.test(content) && option !== "--form-string") command.left.add(`the file of "${name}"`);
    else command.form.push([name, content]);
  } else if (meaning === "user") command.left.add("the user name and password (-u): choose a credential");
  else if (meaning === "agent") command.headers.push(["User-Agent", value]);
  else if (meaning === "referer") command.headers.push(["Referer", value]);
  else if (meaning === "cookie" && value.includes("=")) command.headers.push(["Cookie", value]);
  else if (meaning === "time")
    command.timeoutMs = Math.min(300_000, Math.max(1, Math.round(Number(value) * 1_000))) || null;
  else if (meaning === "other" || meaning === "cookie") command.left.add(option);
  else if (isFile) command.left.add(`the file ${value.slice(1)}`);
  else {
    command.isJson ||= meaning === "json";
    command.data.push(meaning === "encoded" ? encoded(value) : value);
  }
}

function encoded(value: string): string {
  const [name, content] = splitOnce(value, "=");
  return content === undefined
    ? encodeURIComponent(name ?? "")
    : `${name}${name === "" ? "" : "="}${encodeURIComponent(content)}`;
}

function splitOnce(text: string, by: string): [string, string?] {
  const at = text.indexOf(by);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + by.length)];
}

function bodyOf(command: Command, data: string): JsonObject {
  if (command.form.length > 0) return { bodyType: "multipart", body: byName(command.form) };
  const typed = command.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  if (command.isJson || /\bjson\b/i.test(typed)) {
    const value = asJson(command.isJson ? command.data.join("") : data);
    return value === undefined ? { bodyType: "json", body: data } : { bodyType: "json", body: value };
  }
  if (typed !== "" && !/x-www-form-urlencoded/i.test(typed)) return { bodyType: "text", body: data };
  const pairs = [...new URLSearchParams(data)];
  const isPlain = pairs.every(([name]) => name !== "");
  return { bodyType: "form", body: isPlain && /=/.test(data) ? byName(pairs) : data };
}

/** A name that is given more than once has a list. */
function byName(pairs: readonly (readonly [name: string, value: string])[]): JsonObject {
  const values = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    [...values].map(([name, given]) => {
      const [first = "", ...others] = given.map(([, value]) => value);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

function asJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
