/** The shapes of acorn's tree that matter here. */
export interface Tree {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  readonly value?: unknown;
  readonly computed?: boolean;
  readonly optional?: boolean;
  readonly shorthand?: boolean;
  readonly object?: Tree;
  readonly property?: Tree;
  readonly expression?: Tree;
  readonly callee?: Tree;
  readonly key?: Tree;
  readonly arguments?: readonly Tree[];
  readonly properties?: readonly Tree[];
  readonly params?: readonly Tree[];
  readonly id?: Tree | null;
  readonly argument?: Tree | null;
  readonly elements?: readonly (Tree | null)[];
  readonly body?: Tree | readonly Tree[];
}

/** A step of a chain such as `$('A').first().json.id`: a call, or a member by name or expression. */
export type Step =
  | { readonly kind: "member"; readonly name: string | null; readonly by: Tree; readonly optional: boolean }
  | { readonly kind: "call"; readonly args: readonly Tree[]; readonly optional: boolean };

/** What a chain starts from, and its steps. */
export function chainOf(node: Tree): { readonly root: Tree; readonly steps: readonly Step[] } {
  const steps: Step[] = [];
  let at = node;
  for (;;) {
    if (at.type === "ChainExpression" && at.expression) at = at.expression;
    else if (at.type === "MemberExpression" && at.object && at.property) {
      steps.push({ kind: "member", name: nameOf(at), by: at.property, optional: at.optional === true });
      at = at.object;
    } else if (at.type === "CallExpression" && at.callee) {
      steps.push({ kind: "call", args: at.arguments ?? [], optional: at.optional === true });
      at = at.callee;
    } else return { root: at, steps: steps.reverse() };
  }
}

function nameOf({ computed, property }: Tree): string | null {
  if (property === undefined) return null;
  if (computed !== true) return property.type === "Identifier" ? (property.name ?? null) : null;
  return property.type === "Literal" && (typeof property.value === "string" || typeof property.value === "number")
    ? String(property.value)
    : null;
}

/** A literal text in the code; null for anything else. */
export function literalText(node: Tree | undefined): string | null {
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : null;
}

/** The direct children, in source order. */
export function childrenOf(node: Tree): readonly Tree[] {
  const found: Tree[] = [];
  for (const value of Object.values(node) as unknown[]) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === "object" && child !== null && "type" in child && "start" in child) found.push(child as Tree);
    }
  }
  return found.sort((a, b) => a.start - b.start);
}
