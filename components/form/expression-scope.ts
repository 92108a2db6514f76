/** A name that expressions can use, with its value in the available data. */
export interface ScopeRoot {
  readonly name: string;
  /** A short description. */
  readonly description: string;
  readonly value: unknown;
}

/** How a field's text is interpreted; `json` is any JSON with templates, or a config of the node type `type`. */
export type EvaluatedField = "template" | "expression" | "condition" | "json";

/** A text to evaluate. */
export interface Evaluable {
  readonly text: string;
  readonly field: EvaluatedField;
  readonly type?: string | undefined;
  /** The ids of the nodes that it reads. */
  readonly nodeIds: ReadonlySet<string>;
}

export type Evaluated =
  | { readonly ok: true; readonly value: unknown; readonly type: string }
  | {
      readonly ok: false;
      readonly message: string;
      readonly position: number | null;
      /** It has a value in a run only: no mistake. */
      readonly isWaiting?: boolean;
    };

/** What one node's expressions can see. */
export interface ExpressionScope {
  readonly roots: readonly ScopeRoot[];
  /** Identifies the available data; empty for none. */
  readonly dataId: string;
  /** Node names by id, shown in references. */
  readonly nodeNames: ReadonlyMap<string, string>;
  /** Nodes that failed in the shown run: their output is `{error: {message, code}}`. */
  readonly failed?: ReadonlySet<string>;
  /** Loads a node's output from the shown run if it is not loaded yet; null if there is nothing to load. */
  readonly unreadOutput?: (nodeId: string) => (() => Promise<unknown>) | null;
  /** Why an expression has no value, if it reads a node that did not run; else null. */
  readonly unread: (given: Evaluable) => string | null;
  /** Why an expression can never have a value, if it reads a node that never runs before this one; else null. */
  readonly unknown: (given: Evaluable) => string | null;
  /** Evaluates as a run would, over the available data; null if there is nothing to evaluate with. */
  readonly evaluate: ((given: Evaluable, signal: AbortSignal) => Promise<Evaluated>) | null;
}

/** The path typed so far, and the beginning of the next name. */
export interface TypedPath {
  readonly root: string;
  readonly keys: readonly string[];
  readonly typed: string;
  /** How the next name is written: after a dot, or as a quoted key. */
  readonly style: "dot" | "quoted" | "root";
  readonly quote: string;
}

/** A name in an expression, after a dot. */
const dottedName = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
/** An index or a quoted key, in brackets. */
const bracketKey = String.raw`\[(?:\d+|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\]`;
const step = String.raw`\??\.${dottedName}|\??\.?${bracketKey}`;
/** What comes after the last complete step: a dot and a name, or a bracket and a quoted key, that are not finished. */
const typedEnd = String.raw`(\??\.)(${dottedName})?|(\??\.?\[)(['"])((?:[^'"\\]|\\.)*)`;

const steps = new RegExp(step, "gu");
const pathEnd = new RegExp(String.raw`(\$[\p{L}\p{N}_$]*)((?:${step})*)(?:${typedEnd})?$`, "u");
/** A name of the scope and the keys after it. */
export const writtenPath = new RegExp(String.raw`\$[\p{L}_][\p{L}\p{N}_$]*(?:\??\.${dottedName}|${bracketKey})*`, "gu");

/** Parses the member path that ends at the cursor; null if there is none. */
export function readTypedPath(before: string): TypedPath | null {
  const found = pathEnd.exec(before);
  if (found === null) return null;
  const [, root = "", middle = "", dot, dotted = "", bracket, quote = "", quoted = ""] = found;
  const keys = (middle.match(steps) ?? []).map(keyOf);
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

/** The value of a path in the available data; undefined if there is none. */
export function valueAt(roots: readonly ScopeRoot[], root: string, keys: readonly string[]): unknown {
  let value = roots.find((candidate) => candidate.name === root)?.value;
  for (const key of keys) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
  }
  return value;
}
