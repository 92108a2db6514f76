import { type Node, Parser } from "acorn";
import { keyOf, type Tree } from "./tree.ts";

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

/**
 * The data that an expression or a function body reads by literal paths; each path once, at full length, without a
 * method called at its end. Empty for text that cannot be parsed.
 */
export function pathsRead(source: string): PathRead[] {
  const { root, text = "" } = parse(source) ?? {};
  const found = new Map<string, PathRead>();
  const stack: { item: unknown; isCalled: boolean }[] = [{ item: root, isCalled: false }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next.item !== "object" || next.item === null) continue;
    const tree = next.item as Tree;
    if (tree.type === "MemberExpression") {
      const { root: start, members, keys, isWhole } = readChain(tree);
      for (const key of keys) stack.push({ item: key, isCalled: false });
      if (start.type === "Identifier" && start.name?.startsWith("$") && members.length > 0)
        note(found, pathOf(start, members, text), next.isCalled && isWhole);
      else stack.push({ item: start, isCalled: false });
      continue;
    }
    for (const child of Array.isArray(next.item) ? next.item : Object.values(next.item)) {
      stack.push({ item: child, isCalled: tree.type === "CallExpression" && child === tree.callee });
    }
  }
  return [...found.values()];
}

function note(found: Map<string, PathRead>, { root, steps }: Pick<PathRead, "root" | "steps">, isCalled: boolean) {
  const read = isCalled ? steps.slice(0, -1) : steps;
  const text = read.at(-1)?.text ?? root;
  const method = isCalled ? String(steps.at(-1)?.key) : null;
  // The tree yields the last call first.
  const called = method ?? found.get(text)?.called ?? null;
  if (read.length > 0) found.set(text, { root, steps: read, text, called });
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

/** A chain of members, in one walk from its end to its root: it may have as many as the source has characters. */
interface Chain {
  readonly root: Tree;
  /** From the end: those between the root and the first key that is computed. */
  readonly members: readonly Tree[];
  /** The computed keys. */
  readonly keys: readonly Tree[];
  /** No key is computed. */
  readonly isWhole: boolean;
}

function readChain(end: Tree): Chain {
  const keys: Tree[] = [];
  let members: Tree[] = [];
  let node = end;
  while (node.type === "MemberExpression" && node.object !== undefined) {
    if (keyOf(node) === undefined) {
      members = [];
      if (node.property !== undefined) keys.push(node.property);
    } else members.push(node);
    node = node.object;
  }
  return { root: node, members, keys, isWhole: keys.length === 0 };
}

function pathOf(root: Tree, members: readonly Tree[], source: string): Pick<PathRead, "root" | "steps"> {
  const steps = members.toReversed().map((member) => ({
    key: keyOf(member) ?? "",
    optional: member.optional === true,
    text: source.slice(root.start, member.end),
  }));
  return { root: root.name ?? "", steps };
}
