/** A name that expressions can use, with what it held in the data at hand. */
export interface ScopeRoot {
  readonly name: string;
  /** What it is, in a few words. */
  readonly what: string;
  readonly value: unknown;
}

/** How the text of a field is read. */
export type EvaluatedField = "template" | "expression" | "condition";

export type Evaluated =
  | { readonly ok: true; readonly value: unknown; readonly type: string }
  | { readonly ok: false; readonly message: string; readonly position: number | null };

/** What expressions of one node can see. */
export interface ExpressionScope {
  readonly roots: readonly ScopeRoot[];
  /** Which data is at hand: another one makes other values. Empty for none. */
  readonly dataId: string;
  /** Names of nodes by their ids: what a reference to one is shown as. */
  readonly nodeNames: ReadonlyMap<string, string>;
  /** Why there is no value to show of an expression, where it reads a node that did not run; null where it reads none. */
  readonly unread: (expression: string) => string | null;
  /** Why there can be no value: it reads a node that never runs before this one; null where it reads none such. */
  readonly unknown: (expression: string, field: EvaluatedField) => string | null;
  /** Evaluates as a run would, over the data at hand; null where there is nothing to evaluate with. */
  readonly evaluate: ((expression: string, field: EvaluatedField, signal: AbortSignal) => Promise<Evaluated>) | null;
}

/** A path as far as it is written before the cursor, and the beginning of the name that is being typed. */
export interface TypedPath {
  readonly root: string;
  readonly keys: readonly string[];
  readonly typed: string;
  /** How the name that is being typed is written: after a dot, or as a quoted key. */
  readonly style: "dot" | "quoted" | "root";
  readonly quote: string;
}

const step = /\??\.[\p{L}_$][\p{L}\p{N}_$]*|\??\.?\[(?:\d+|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\]/gu;
const pathEnd =
  /(\$[\p{L}\p{N}_$]*)((?:\??\.[\p{L}_$][\p{L}\p{N}_$]*|\??\.?\[(?:\d+|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\])*)(?:(\??\.)([\p{L}_$][\p{L}\p{N}_$]*)?|(\??\.?\[)(['"])((?:[^'"\\]|\\.)*))?$/u;

/** Reads the member path that ends at the cursor; null when there is none. */
export function readTypedPath(before: string): TypedPath | null {
  const found = pathEnd.exec(before);
  if (found === null) return null;
  const [, root = "", middle = "", dot, dotted = "", bracket, quote = "", quoted = ""] = found;
  const keys = (middle.match(step) ?? []).map(keyOf);
  if (bracket !== undefined) return { root, keys, typed: quoted, style: "quoted", quote };
  if (dot !== undefined) return { root, keys, typed: dotted, style: "dot", quote: "'" };
  if (keys.length > 0) {
    const last = keys.at(-1) ?? "";
    if (middle.endsWith("]")) return null;
    return { root, keys: keys.slice(0, -1), typed: last, style: "dot", quote: "'" };
  }
  return { root: "", keys: [], typed: root, style: "root", quote: "'" };
}

function keyOf(written: string): string {
  const inner = written.replace(/^\??\.?/, "");
  if (!inner.startsWith("[")) return inner;
  const key = inner.slice(1, -1);
  return /^['"]/.test(key) ? key.slice(1, -1).replace(/\\(.)/g, "$1") : key;
}

/** What a path leads to in the data at hand; undefined where it leads nowhere. */
export function valueAt(roots: readonly ScopeRoot[], root: string, keys: readonly string[]): unknown {
  let value = roots.find((candidate) => candidate.name === root)?.value;
  for (const key of keys) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Object.entries(value).find(([name]) => name === key)?.[1];
  }
  return value;
}
