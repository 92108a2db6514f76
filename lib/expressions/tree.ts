/** The shapes of acorn's tree that matter; everything else is only traversed. */
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

/** What a member is accessed by, if it is written there: `a.b`, `a["b"]` or `a[0]`. */
export function keyOf({ computed, property }: Tree): string | number | undefined {
  if (computed !== true) return property?.type === "Identifier" ? property.name : undefined;
  const value = property?.type === "Literal" ? property.value : undefined;
  return typeof value === "string" || typeof value === "number" ? value : undefined;
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
