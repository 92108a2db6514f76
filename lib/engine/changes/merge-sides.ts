/** One part in the base, here, and elsewhere. Undefined: missing. */
export interface Sides<Part> {
  readonly old: Part;
  readonly own: Part;
  readonly other: Part;
}

/** What a conflict is about. */
export interface Named {
  /** Tells it apart from everything else in the flow. */
  readonly key: string;
  /** For display: a node's name, "The trigger". */
  readonly what: string;
  /** Where it is, for display where something else has the same name. */
  readonly where?: string;
}

/** Takes the side that changed; if both did, and differently, records a conflict about `named` and takes one. */
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

/** Items by their names; of several with one name, each has a key of its own. */
export function byName<Item>(items: Iterable<Item>, nameOf: (item: Item) => string): Map<string, Item> {
  const named = new Map<string, Item>();
  const keyOf = freeKeys(named);
  for (const item of items) named.set(keyOf(nameOf(item)), item);
  return named;
}

/** Derives keys from names: the name itself, or the first free variant of it. */
export function freeKeys(taken: ReadonlyMap<string, unknown>): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    let key = name;
    // Continues from the last number: thousands of the same name cost no more than others.
    let count = counts.get(name) ?? 1;
    while (taken.has(key)) {
      count += 1;
      key = `${name} ${count}`;
    }
    counts.set(name, count);
    return key;
  };
}
