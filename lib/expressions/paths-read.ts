import { type Node, Parser } from "acorn";

/** A part of data that an expression reads: `$nodes['pay'].output.body.id`. */
export interface PathRead {
  /** `$nodes`. */
  readonly root: string;
  readonly steps: readonly PathStep[];
  /** As written. */
  readonly text: string;
  /** The first method called at its end; null for none. */
  readonly called: string | null;
}

interface PathStep {
  readonly key: string | number;
  /** Written with `?.`: its parent may be missing. */
  readonly optional: boolean;
  /** The path up to and including this step, as written. */
  readonly text: string;
}

interface Tree {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  readonly value?: unknown;
  readonly computed?: boolean;
  readonly optional?: boolean;
  readonly object?: Tree;
  readonly property?: Tree;
  readonly callee?: Tree;
}

/**
 * The data that an expression or a function body reads by literal paths; each path once, at full length, without a
 * method called at its end. Empty for text that cannot be parsed.
 */
export function pathsRead(source: string): PathRead[] {
  const { root, text } = parse(source) ?? {};
  const found = new Map<string, PathRead>();
  const stack: { item: unknown; isCalled: boolean }[] = [{ item: root, isCalled: false }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next.item !== "object" || next.item === null) continue;
    const tree = next.item as Tree;
    const path = text === undefined ? null : readPath(tree, text);
    if (path !== null) {
      const steps = next.isCalled ? path.steps.slice(0, -1) : path.steps;
      const shown = steps.at(-1)?.text ?? path.root;
      const method = next.isCalled ? String(path.steps.at(-1)?.key) : null;
      // The tree yields the last call first.
      const called = method ?? found.get(shown)?.called ?? null;
      if (steps.length > 0) found.set(shown, { root: path.root, steps, text: shown, called });
      continue;
    }
    for (const child of Array.isArray(next.item) ? next.item : Object.values(next.item)) {
      stack.push({ item: child, isCalled: tree.type === "CallExpression" && child === tree.callee });
    }
  }
  return [...found.values()];
}

/** Follows a path as far as it leads in data: the value there, and the path up to it. Own members only. */
export function followPath(path: PathRead, root: unknown): { readonly text: string; readonly value: unknown } {
  let [value, text]: [unknown, string] = [root, path.root];
  for (const step of path.steps) {
    if (typeof value !== "object" || value === null) break;
    value = Object.hasOwn(value, step.key) ? (value as Record<string | number, unknown>)[step.key] : undefined;
    text = step.text;
  }
  return { text, value };
}

function parse(source: string): { root: Node; text: string } | null {
  for (const text of [`(${source}\n)`, source]) {
    try {
      return { root: Parser.parse(text, { ecmaVersion: 2024, allowReturnOutsideFunction: true }), text };
    } catch {
      // Not an expression: try it as a function body.
    }
  }
  return null;
}

/** Null for anything but a literal path from a name in the scope. */
function readPath(tree: Tree, source: string): Pick<PathRead, "root" | "steps"> | null {
  const steps: PathStep[] = [];
  let node = tree.type === "ChainExpression" ? (tree as unknown as { expression: Tree }).expression : tree;
  const ends: { key: string | number; optional: boolean; end: number }[] = [];
  while (node.type === "MemberExpression" && node.object !== undefined) {
    const key = keyOf(node);
    if (key === undefined) return null;
    ends.unshift({ key, optional: node.optional === true, end: node.end });
    node = node.object;
  }
  if (node.type !== "Identifier" || !node.name?.startsWith("$") || ends.length === 0) return null;
  for (const { key, optional, end } of ends) steps.push({ key, optional, text: source.slice(node.start, end) });
  return { root: node.name, steps };
}

function keyOf({ computed, property }: Tree): string | number | undefined {
  if (computed !== true) return property?.type === "Identifier" ? property.name : undefined;
  const value = property?.type === "Literal" ? property.value : undefined;
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}
