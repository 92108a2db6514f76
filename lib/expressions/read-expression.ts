import { type Node, type Options, Parser } from "acorn";
import { compileProgram } from "./compile.ts";
import { type FileRead, findFileReads, NoFileRead } from "./file-reads.ts";
import type { Program } from "./program.ts";
import { keyOf, type Tree } from "./tree.ts";

/** One JavaScript expression or function body, parsed but never evaluated here. */
export interface Expression {
  readonly source: string;
  /** As written. Differs from `source` if files are read before it. */
  readonly written: string;
  /** The files that are read before it is evaluated. */
  readonly fileReads: readonly FileRead[];
  readonly kind: "expression" | "body";
  /** Names of the scope that it mentions: `$trigger`, `$vars`. */
  readonly names: readonly string[];
  /** Ids read as `$nodes['id']`; null if it uses `$nodes` in any other way and may read all. */
  readonly nodeIds: readonly string[] | null;
  /** Names read as `$credentials.name`; null as above. */
  readonly credentialNames: readonly string[] | null;
  /** Ids read as `$resume['id']`; null as above. */
  readonly resumeIds: readonly string[] | null;
  /** Set if it is only a member path such as `$trigger.body.items[0].id`. */
  readonly path: MemberPath | null;
  /** Set if it can be evaluated without the sandbox. */
  readonly program: Program | null;
}

export interface MemberPath {
  readonly root: string;
  readonly steps: readonly { readonly key: string | number; readonly optional: boolean; readonly position: number }[];
}

/** Text that is not JavaScript, or braces that do not close. `position` is a 0-based offset in the text. */
export class ExpressionSyntaxError extends Error {
  readonly position: number;
  constructor(message: string, position: number) {
    super(message);
    this.name = "ExpressionSyntaxError";
    this.position = position;
  }
}

const options: Options = { ecmaVersion: 2024, sourceType: "script", allowHashBang: false };

/** Limits of parsing, which happens in the server; far above any expression that people write. */
export const expressionLimits = {
  expressionCharactersMax: 65_536,
  bodyCharactersMax: 262_144,
  tokensMax: 100_000,
  /** Nested brackets of any kind. */
  nestingMax: 200,
  declarationsMax: 1_000,
} as const;

declare module "acorn" {
  interface Parser {
    start: number;
    type: { readonly label: string };
    nextToken(): void;
    declareName(name: string, kind: number, position: number): void;
  }
}

/** How each bracket changes the nesting. */
const nestingBy: ReadonlyMap<string, number> = new Map([
  ...["(", "[", "{", "${"].map((label): [string, number] => [label, 1]),
  ...[")", "]", "}"].map((label): [string, number] => [label, -1]),
]);

/** acorn's parser, stopped after one expression, which ends where the next token starts. */
class ExpressionParser extends Parser {
  declare parseExpression: () => Node;
  declare declared: number | undefined;
  declare tokens: number | undefined;
  declare nesting: number | undefined;

  /** Makes the super class's protected constructor accessible to this module. */
  constructor(given: Options, text: string, from?: number) {
    super(given, text, from);
  }

  /**
   * acorn compares each new name with all others. Beyond the first thousand, finding duplicates is left to the sandbox.
   */
  override declareName(name: string, kind: number, position: number): void {
    this.declared = (this.declared ?? 0) + 1;
    if (this.declared <= expressionLimits.declarationsMax) super.declareName(name, kind, position);
  }

  /** Every token passes here, so excess is refused before more is allocated. */
  override nextToken(): void {
    super.nextToken();
    this.tokens = (this.tokens ?? 0) + 1;
    this.nesting = (this.nesting ?? 0) + (nestingBy.get(this.type.label) ?? 0);
    const { tokensMax, nestingMax } = expressionLimits;
    if (this.tokens > tokensMax) throw new ExpressionSyntaxError(`it has more than ${tokensMax} words and signs`, 0);
    if (this.nesting > nestingMax) throw new ExpressionSyntaxError(tooDeep, this.start);
  }

  static readOne(text: string): { node: Node; end: number; atEnd: boolean } {
    const parser = new ExpressionParser(options, text);
    parser.nextToken();
    const node = parser.parseExpression();
    return { node, end: parser.start, atEnd: parser.type.label === "eof" };
  }
}

/** Parses the expression that starts at `from`; `end` is where the next token starts. Throws ExpressionSyntaxError. */
export function readExpression(text: string, from: number): { expression: Expression; end: number; atEnd: boolean } {
  // Cut a little beyond the limit, so that excess is noticed without parsing to the end; and cut at the start, because
  // the parser counts the lines before it.
  const cut = Math.min(from + expressionLimits.expressionCharactersMax + spaces, text.length);
  const given = text.slice(from, cut);
  try {
    const { node, end, atEnd } = ExpressionParser.readOne(given);
    const written = given.slice(0, end);
    const source = written.trim();
    const isCut = end === given.length && cut < text.length;
    if (source.length > expressionLimits.expressionCharactersMax || isCut) throw tooLong;
    const offset = written.length - written.trimStart().length;
    return { expression: readAs(source, "expression", node, offset), end: from + end, atEnd };
  } catch (error) {
    const isTooLong = error === tooLong || (cut < text.length && isAtEnd(error, given.length));
    throw isTooLong ? new ExpressionSyntaxError(tooLong.message, from) : syntaxError(error, from);
  }
}

/** Parses a whole text as one expression or, if it has a `return`, as a function body. */
export function readProgram(text: string): Expression {
  try {
    const { expression, end, atEnd } = readExpression(text, 0);
    if (atEnd) return expression;
    throw new ExpressionSyntaxError(`unexpected ${JSON.stringify(text.slice(end, end + 10))}`, end);
  } catch (error) {
    if (!/\breturn\b/.test(text)) throw error;
  }
  return readBody(text);
}

/**
 * The syntax tree of the expression that starts at `from`, and where it ends; positions count from there. Null if
 * there is none.
 */
export function readTree(text: string, from: number): { readonly node: Node; readonly end: number } | null {
  try {
    const { node, end } = ExpressionParser.readOne(text.slice(from, from + expressionLimits.expressionCharactersMax));
    return { node, end: from + end };
  } catch {
    return null;
  }
}

/** The syntax tree of a function body; null if it is not one, or is too long. */
export function readBodyTree(text: string): Node | null {
  if (text.length > expressionLimits.bodyCharactersMax) return null;
  try {
    return ExpressionParser.parse(text, { ...options, allowReturnOutsideFunction: true });
  } catch {
    return null;
  }
}

/** Parses a text as a function body. */
export function readBody(text: string): Expression {
  const { bodyCharactersMax: charactersMax } = expressionLimits;
  if (text.length > charactersMax)
    throw new ExpressionSyntaxError(`a program has at most ${charactersMax} characters`, 0);
  try {
    return readAs(text, "body", ExpressionParser.parse(text, { ...options, allowReturnOutsideFunction: true }), 0);
  } catch (error) {
    throw syntaxError(error);
  }
}

const tooLong = new Error(`an expression has at most ${expressionLimits.expressionCharactersMax} characters`);
/** White space allowed around an expression of maximum length. */
const spaces = 100;

/** Whether parsing failed because the text was cut there. */
function isAtEnd(error: unknown, end: number): boolean {
  if (!(error instanceof SyntaxError)) return false;
  return error.message.startsWith("Unterminated") || ("raisedAt" in error && Number(error.raisedAt) >= end);
}

const tooDeep = "it is nested too deeply";

/** `from`: the offset of the parsed part in its text. */
function syntaxError(error: unknown, from = 0): unknown {
  if (error instanceof RangeError) return new ExpressionSyntaxError(tooDeep, from);
  if (error instanceof ExpressionSyntaxError) return new ExpressionSyntaxError(error.message, from + error.position);
  if (!(error instanceof SyntaxError)) return error;
  const position = from + ("pos" in error && typeof error.pos === "number" ? error.pos : 0);
  return new ExpressionSyntaxError(error.message.replace(/ \(\d+:\d+\)$/, "").toLowerCase(), position);
}

/** As `readWith`, with file reads replaced by lookups of what was read. */
function readAs(source: string, kind: Expression["kind"], root: Node, offset: number): Expression {
  const found = source.includes("$file") ? fileReadsIn(source, root, offset) : null;
  if (found === null) return readWith(source, kind, root, offset);
  const tree =
    kind === "body"
      ? ExpressionParser.parse(found.source, { ...options, allowReturnOutsideFunction: true })
      : ExpressionParser.readOne(found.source).node;
  return { ...readWith(found.source, kind, tree, 0), written: source, fileReads: found.reads };
}

function fileReadsIn(source: string, root: Node, offset: number) {
  try {
    return findFileReads(source, root, offset);
  } catch (error) {
    if (error instanceof NoFileRead) throw new ExpressionSyntaxError(error.message, error.position);
    throw error;
  }
}

function readWith(source: string, kind: Expression["kind"], root: Node, offset: number): Expression {
  const names = new Set<string>();
  const ids = { $nodes: new Set<string>(), $credentials: new Set<string>(), $resume: new Set<string>() };
  const dynamic = { $nodes: false, $credentials: false, $resume: false };
  walk(root, (node, parent) => {
    const { type, name } = node;
    if (type !== "Identifier" || !name?.startsWith("$")) return;
    names.add(name);
    if (name !== "$nodes" && name !== "$credentials" && name !== "$resume") return;
    const key = parent?.type === "MemberExpression" && parent.object === node ? keyOf(parent) : undefined;
    if (typeof key === "string") ids[name].add(key);
    else dynamic[name] = true;
  });
  return {
    source,
    written: source,
    fileReads: [],
    kind,
    names: [...names],
    nodeIds: dynamic.$nodes ? null : [...ids.$nodes],
    credentialNames: dynamic.$credentials ? null : [...ids.$credentials],
    resumeIds: dynamic.$resume ? null : [...ids.$resume],
    path: kind === "expression" ? memberPath(root, offset) : null,
    program: kind === "expression" ? compileProgram(root) : null,
  };
}

function walk(root: unknown, visit: (node: Tree, parent: Tree | undefined) => void): void {
  const stack: { node: Tree; parent: Tree | undefined }[] = [{ node: root as Tree, parent: undefined }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    visit(item.node, item.parent);
    for (const child of Object.values(item.node)) {
      for (const node of Array.isArray(child) ? child : [child]) {
        if (typeof node === "object" && node !== null && "type" in node) stack.push({ node, parent: item.node });
      }
    }
  }
}

function memberPath(root: unknown, offset: number): MemberPath | null {
  const steps: { key: string | number; optional: boolean; position: number }[] = [];
  let node: Tree | undefined = root as Tree;
  if (node.type === "ChainExpression") node = node.expression;
  for (; node?.type === "MemberExpression"; node = node.object) {
    const key = keyOf(node);
    if (key === undefined || node.property === undefined) return null;
    steps.push({ key, optional: node.optional === true, position: node.property.start - offset });
  }
  if (node?.type !== "Identifier" || !node.name?.startsWith("$")) return null;
  return { root: node.name, steps: steps.reverse() };
}
