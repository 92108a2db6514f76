import { readTree, type Tree } from "#lib/expressions/expressions.ts";
import { n8nLimits } from "../document.ts";
import { NotConverted, type Reading } from "../source.ts";
import { Rewriter } from "./rewrite.ts";

/** A piece of an n8n text: literal text or code. */
export type Part = string | { readonly js: string; readonly tree: Tree };

/** A parameter's value: literal or computed. */
export type Value = { readonly given: unknown } | { readonly parts: readonly Part[] };

/**
 * Reads a parameter's value; text that starts with `=` contains expressions. `fail` returns the replacement for one
 * that cannot be converted.
 */
export function readValue(
  value: unknown,
  reading: Reading,
  fail: (reason: NotConverted, source: string) => string,
): Value {
  if (typeof value !== "string" || !value.startsWith("=")) return { given: value };
  return { parts: partsOf(value.slice(1), reading, fail) };
}

function partsOf(text: string, reading: Reading, fail: (reason: NotConverted, source: string) => string): Part[] {
  const parts: Part[] = [];
  const failed = (reason: string, source: string): Part => ({
    js: fail(new NotConverted(reason), source),
    tree: { type: "Failed", start: 0, end: 0 },
  });
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("{{", at);
    if (open === -1) break;
    if (open > at) parts.push(text.slice(at, open));
    const source = text.slice(open + 2, open + 2 + n8nLimits.expressionCharactersMax);
    if (/^\s*\}\}/.test(source.slice(0, 200))) {
      at = text.indexOf("}}", open) + 2;
      continue;
    }
    const read = readTree(source, 0);
    const end = read === null ? -1 : open + 2 + read.end;
    if (read === null || !text.startsWith("}}", end)) {
      parts.push(failed("an expression that is not JavaScript, or is too long", text.slice(open)));
      return parts;
    }
    const tree = read.node as unknown as Tree;
    try {
      parts.push({ js: new Rewriter(source, reading).emit(tree), tree });
    } catch (error) {
      parts.push(failed(whyNotConverted(error), text.slice(open + 2, end)));
    }
    at = end + 2;
  }
  if (at < text.length || parts.length === 0) parts.push(text.slice(at));
  return parts;
}

/** Why code could not be rewritten; rethrows our own errors. */
export function whyNotConverted(error: unknown): string {
  if (error instanceof NotConverted) return error.message;
  if (error instanceof RangeError) return "an expression that is nested too deeply";
  throw error;
}

/** A value as JavaScript. */
export function asCode(value: Value): string {
  if ("given" in value) return codeOf(value.given);
  const [first] = value.parts;
  if (value.parts.length === 1 && first !== undefined)
    return typeof first === "string" ? codeOf(first) : primary(first.js);
  return `[${value.parts.map((part) => (typeof part === "string" ? codeOf(part) : part.js)).join(", ")}].join("")`;
}

/** Code that can be used anywhere a value can. */
function primary(js: string): string {
  return /^[\w$.]+$|^\$nodes\['[^'\\]*'\]\.output[\w$.]*$/.test(js) ? js : `(${js})`;
}

/** Data as a JavaScript literal; `__proto__` is an ordinary member. */
export function codeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(codeOf).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    return `({ ${Object.entries(value)
      .map(([key, child]) => `[${JSON.stringify(key)}]: ${codeOf(child)}`)
      .join(", ")} })`;
  }
  return JSON.stringify(value) ?? "null";
}

/** A value for a config: text with templates, or data. */
export function asTemplate(value: Value): unknown {
  if ("given" in value) return escaped(value.given);
  return value.parts.map((part) => (typeof part === "string" ? escaped(part) : `{{ ${part.js} }}`)).join("");
}

/** Escapes data, so that no text in it is read as a template. */
export function escaped(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("{{", "\\{{");
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, escaped(child)]));
}
