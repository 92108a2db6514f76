import { Composer, isMap, isScalar, isSeq, Lexer, type ParsedNode, Parser } from "yaml";
import { formatPath, type Json } from "#lib/engine/json.ts";
import type { Place, TextProblem } from "./read-flow-text.ts";
import type { YamlComment } from "./trivia.ts";

/** A text's limits. */
export const textLimits = {
  /** A flow at its limits, with all its tests, is shorter, unless most of its text is indentation. */
  charactersMax: 16_777_216,
  /** Values, keys, punctuation and gaps: each has a cost, however short it is. */
  partsMax: 3_300_000,
  /** Levels of nesting. */
  depthMax: 1_200,
  /** The maximum number of problems reported per text. */
  problemsMax: 100,
} as const;

interface Spot {
  /** Where its value begins. */
  readonly at: number;
  /** Where its key or an item's dash begins. */
  readonly keyAt: number;
  readonly parent: TextNode | null;
  readonly key: string | number;
  /** In flow style: braces or brackets. */
  readonly isInline: boolean;
}
export interface ScalarNode extends Spot {
  readonly kind: "scalar";
  readonly value: null | boolean | number | string;
  /** As written, without quotes. */
  readonly source: string;
}
export interface MapNode extends Spot {
  readonly kind: "map";
  readonly entries: readonly { readonly key: string; readonly value: TextNode }[];
}
export interface ListNode extends Spot {
  readonly kind: "list";
  readonly items: readonly TextNode[];
}
export type TextNode = ScalarNode | MapNode | ListNode;

/** A problem in the text, thrown while parsing. */
export class TextError extends Error {
  readonly at: number;
  readonly path: string;

  constructor(message: string, at: number, path = "") {
    super(message);
    this.at = at;
    this.path = path;
  }
}

export function pathOf(node: TextNode): string {
  const steps: (string | number)[] = [];
  for (let at: TextNode = node; at.parent !== null; at = at.parent) steps.unshift(at.key);
  return formatPath(steps);
}

/** Lines and columns of a text's characters, from 1. */
export class Lines {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  placeOf(at: number): Place {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - (this.#starts[low] ?? 0) + 1 };
  }

  get starts(): readonly number[] {
    return this.#starts;
  }
}

export interface ParsedText {
  readonly root: TextNode;
  readonly remarks: readonly YamlComment[];
}

const refused: Readonly<Record<string, string>> = {
  "&": "anchors are not supported: write the value where it is used",
  "*": "aliases are not supported: write the value where it is used; put a text that begins with * in quotes",
  "!": "tags are not supported; put a text that begins with ! in quotes",
  "%": "directives are not supported",
};
const [scalarMark, ...otherMarks] = ["\u001f", "\u0002", "\u0018"];

/**
 * Parses YAML 1.2 without the features that expand a text (anchors, merges). Throws a TextError, or an array of them
 * for YAML syntax errors.
 * `withRemarks`: also finds comments and empty lines.
 */
export function parseYaml(text: string, lines: Lines, withRemarks = false): ParsedText {
  if (text.length > textLimits.charactersMax) {
    throw new TextError(`has more than ${textLimits.charactersMax.toLocaleString("en-US")} characters`, 0);
  }
  const { tokens, remarks } = tokenize(text, lines, withRemarks);
  const composer = new Composer({ version: "1.2", uniqueKeys: false, prettyErrors: false, merge: false });
  const documents = [...composer.compose(tokens, true, text.length)];
  const errors = documents.flatMap((document) => document.errors);
  if (errors.length > 0) {
    const listed = errors.slice(0, textLimits.problemsMax);
    throw listed.map(({ message, pos }) => new TextError(message.replace(/ \(.*$/s, "") || message, pos[0]));
  }
  const [document, second] = documents;
  if (second !== undefined) throw new TextError("has more than one document", second.range[0]);
  const contents = document?.contents as ParsedNode | null | undefined;
  if (contents == null) throw new TextError("is empty", 0);
  return { root: new Reader(text).read(contents, null, "", contents.range[0]), remarks };
}

function tokenize(text: string, lines: Lines, withRemarks: boolean) {
  const parser = new Parser();
  const tokens: Parameters<Composer["compose"]>[0] extends Iterable<infer Token> ? Token[] : never = [];
  const remarks: YamlComment[] = [];
  /** Lines inside a scalar. */
  const inside = new Set<number>();
  let [offset, isText, header, parts] = [0, false, "", 0];
  for (const lexeme of new Lexer().lex(text)) {
    parts += 1;
    if (parts > textLimits.partsMax) throw new TextError("has too many parts", offset);
    const [first = ""] = lexeme;
    if (!isText && refused[first] !== undefined) throw new TextError(refused[first], offset);
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > textLimits.depthMax) throw new TextError("is nested too deeply", offset);
    if (!isText && lexeme === scalarMark) {
      isText = true;
      continue;
    }
    if (!isText && otherMarks.includes(lexeme)) continue;
    if (isText && withRemarks) {
      // Empty lines at the end of a block belong to it only if the block keeps them.
      const end = /^[|>].*\+/.test(header) ? lexeme.length : contentEnd(lexeme);
      const from = lines.placeOf(offset).line;
      for (let line = from; line <= lines.placeOf(offset + end).line; line += 1) inside.add(line);
    } else if (!isText && withRemarks && first === "#")
      remarks.push(commentAt(text, lexeme.slice(0, contentEnd(lexeme)), offset, lines));
    else if (!isText && (first === "|" || first === ">")) header = lexeme;
    if (isText) header = "";
    isText = false;
    offset += lexeme.length;
  }
  for (const token of parser.end()) tokens.push(token);
  if (!withRemarks) return { tokens, remarks };
  lines.starts.forEach((start, index) => {
    const end = lines.starts[index + 1];
    if (end === undefined || inside.has(index + 1) || contentEnd(text.slice(start, end)) > 0) return;
    remarks.push({ at: start, column: 0, text: "", isBeside: false });
  });
  return { tokens, remarks: remarks.sort((a, b) => a.at - b.at) };
}

/** The end of a scalar without YAML's white space; other spaces belong to the text. */
function contentEnd(text: string): number {
  let end = text.length;
  while (end > 0 && " \t\r\n".includes(text[end - 1] ?? "x")) end -= 1;
  return end;
}

function commentAt(source: string, text: string, at: number, lines: Lines): YamlComment {
  const { column } = lines.placeOf(at);
  const isBeside = source.slice(at - column + 1, at).trim() !== "";
  return { at, column: column - 1, text, isBeside };
}

class Reader {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  read(node: ParsedNode | null, parent: TextNode | null, key: string | number, keyAt: number): TextNode {
    const at = node?.range[0] ?? keyAt;
    const spot = { at, keyAt, parent, key };
    if (node === null) return { ...spot, kind: "scalar", value: null, source: "", isInline: false };
    if (isScalar(node)) {
      const value = node.value as unknown;
      const made = { ...spot, kind: "scalar", source: node.source ?? "", isInline: false } as const;
      if (value === null || typeof value === "boolean" || typeof value === "string") return { ...made, value };
      if (typeof value === "number" && Number.isFinite(value)) return { ...made, value: value === 0 ? 0 : value };
      throw new TextError("must be a value of JSON", at, pathOf({ ...made, value: null }));
    }
    const isInline = "flow" in node && node.flow === true;
    if (isSeq(node)) {
      const items: TextNode[] = [];
      const list: ListNode = { ...spot, kind: "list", items, isInline };
      node.items.forEach((item, index) => {
        const parsed = item as ParsedNode | null;
        const start = parsed?.range[0] ?? at;
        items.push(this.read(parsed, list, index, isInline ? start : this.#dashBefore(start)));
      });
      return list;
    }
    if (!isMap(node)) throw new TextError("must be a value of JSON", at);
    const entries: { key: string; value: TextNode }[] = [];
    const map: MapNode = { ...spot, kind: "map", entries, isInline };
    const known = new Set<string>();
    for (const pair of node.items) {
      const name = pair.key as ParsedNode | null;
      if (!isScalar(name)) throw new TextError("a key must be text", name?.range?.[0] ?? at, pathOf(map));
      const own = typeof name.value === "string" ? name.value : (name.source ?? "");
      if (own === "" && typeof name.value !== "string") throw new TextError("a key is missing", at, pathOf(map));
      const value = this.read(pair.value as ParsedNode | null, map, own, name.range[0]);
      if (known.has(own)) throw new TextError("is given twice", name.range[0], pathOf(value));
      known.add(own);
      entries.push({ key: own, value });
    }
    return map;
  }

  /** The offset of the dash before an item, if it is on the same line. */
  #dashBefore(start: number): number {
    let at = start - 1;
    while (this.#text[at] === " ") at -= 1;
    return this.#text[at] === "-" ? at : start;
  }
}

/** The value of a node as JSON. Calls `seen` with every object and list created. */
export function jsonOf(node: TextNode, seen: (made: object, from: TextNode) => void): Json {
  if (node.kind === "scalar") return node.value;
  const made: Json =
    node.kind === "list"
      ? node.items.map((item) => jsonOf(item, seen))
      : Object.fromEntries(node.entries.map(({ key, value }) => [key, jsonOf(value, seen)]));
  seen(made as object, node);
  return made;
}

export function problemOf(error: TextError, lines: Lines): TextProblem {
  return { ...lines.placeOf(error.at), path: error.path, message: error.message };
}
