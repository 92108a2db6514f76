import type { Completion, CompletionContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete";
import { type ExpressionScope, readTypedPath, type TypedPath, valueAt } from "./expression-scope.ts";

const identifier = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
const optionsMax = 200;

/** Completes the scope's names and keys of the available data. `isInside`: whether the position is in an expression. */
export function completeExpression(
  scope: () => ExpressionScope,
  isInside: (text: string, at: number) => boolean,
): CompletionSource {
  return (context: CompletionContext): CompletionResult | Promise<CompletionResult | null> | null => {
    const { doc } = context.state;
    const before = doc.sliceString(Math.max(0, context.pos - 2_000), context.pos);
    if (!isInside(doc.toString(), context.pos)) return null;
    const path = readTypedPath(before);
    const { roots } = scope();
    if (path === null) {
      if (!context.explicit) return null;
      return { from: context.pos, options: roots.map(rootOption) };
    }
    if (path.style === "root") return { from: context.pos - path.typed.length, options: roots.map(rootOption) };
    const from = context.pos - path.typed.length;
    const [nodeId, member, ...keys] = path.keys;
    const read = path.root === "$nodes" && member === "output" ? scope().unreadOutput?.(nodeId ?? "") : null;
    if (!read) return keysOf(valueAt(roots, path.root, path.keys), from, path);
    // An unreadable output offers no completions.
    return read().then(
      (value) => keysOf(valueAt([{ name: "", description: "", value }], "", keys), from, path),
      () => null,
    );
  };

  function keysOf(value: unknown, from: number, path: TypedPath): CompletionResult | null {
    if (typeof value !== "object" || value === null) return null;
    const names = Object.keys(value).slice(0, optionsMax);
    return {
      from,
      options: names.map((name) => keyOption(name, Reflect.get(value, name), path)),
      validFor: /^[\p{L}\p{N}_$ -]*$/u,
    };
  }

  function rootOption({ name, description, value }: { name: string; description: string; value: unknown }): Completion {
    return { label: name, type: "variable", detail: value === undefined ? "" : shortValue(value), info: description };
  }
}

function keyOption(name: string, value: unknown, { style, quote }: TypedPath): Completion {
  const option: Completion = {
    label: name,
    type: typeof value === "object" ? "namespace" : "property",
    detail: shortValue(value),
  };
  if (style === "quoted") {
    const written = `${name.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`)}${quote}]`;
    return {
      ...option,
      apply: (view, _, from, to) => {
        // The editor may have inserted the closing quote and bracket already.
        const after = view.state.doc.sliceString(to, to + 2);
        const end = to + (after === `${quote}]` ? 2 : after.startsWith(quote) ? 1 : 0);
        view.dispatch({ changes: { from, to: end, insert: written }, selection: { anchor: from + written.length } });
      },
    };
  }
  if (identifier.test(name)) return option;
  // A key that cannot follow a dot: the dot is removed, the key quoted.
  const text = `[${/^\d+$/.test(name) ? name : `'${name.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`}]`;
  return {
    ...option,
    apply: (view, _, from, to) => {
      const start = view.state.doc.sliceString(from - 1, from) === "." ? from - 1 : from;
      view.dispatch({ changes: { from: start, to, insert: text }, selection: { anchor: start + text.length } });
    },
  };
}

/** A value in a few characters, short enough for a list of completions. */
export function shortValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value === "object" && value !== null) return `{${Object.keys(value).length}}`;
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 28 ? `${text.slice(0, 27)}…` : text;
}
