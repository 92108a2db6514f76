/** One part in the base, on this side and on the other. Undefined: missing. */
export interface Sides<Part> {
  readonly old: Part;
  readonly own: Part;
  readonly other: Part;
}

/** What a conflict is about. */
export interface Named {
  /** Unique in the flow. */
  readonly key: string;
  /** For display: a node's name, "The trigger". */
  readonly what: string;
  /** Its place, for display if something else has the same name. */
  readonly where?: string;
}

/** Takes the side that changed. If both changed differently, records a conflict about `named` and takes one. */
export type Choose = <Part>(named: Named, sides: Sides<Part>) => Part;

export function mapSides<From, To>({ old, own, other }: Sides<From>, to: (side: From) => To): Sides<To> {
  return { old: to(old), own: to(own), other: to(other) };
}

/** Merges items by their keys: this side's first, in its order. `pick` decides each. */
export function mergeByKey<Item>(
  { old, own, other }: Sides<ReadonlyMap<string, Item>>,
  pick: (key: string, sides: Sides<Item | undefined>) => Item | undefined,
): Map<string, Item> {
  const merged = new Map<string, Item>();
  for (const key of new Set([...own.keys(), ...other.keys()])) {
    const chosen = pick(key, { old: old.get(key), own: own.get(key), other: other.get(key) });
    if (chosen !== undefined) merged.set(key, chosen);
  }
  return merged;
}

/** Items by name; duplicates get keys of their own. */
export function byName<Item>(items: Iterable<Item>, nameOf: (item: Item) => string): Map<string, Item> {
  const named = new Map<string, Item>();
  const keyOf = freeKeys(named);
  for (const item of items) named.set(keyOf(nameOf(item)), item);
  return named;
}

/** Derives unique keys from names: the name itself, or its first free variant. */
export function freeKeys(taken: ReadonlyMap<string, unknown>): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    let key = name;
    // Counting on from the last number keeps thousands of equal names linear.
    let count = counts.get(name) ?? 1;
    while (taken.has(key)) {
      count += 1;
      key = `${name} ${count}`;
    }
    counts.set(name, count);
    return key;
  };
}
