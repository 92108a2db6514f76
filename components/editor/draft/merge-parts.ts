/** One thing as it was on both sides, as it is here, and as it is elsewhere. Undefined: not there. */
export interface Sides<Part> {
  readonly old: Part;
  readonly own: Part;
  readonly other: Part;
}

/** Takes the side that changed; where both did, and not to the same, notes a clash named `what` and takes one. */
export type Choose = <Part>(what: string, sides: Sides<Part>) => Part;

export function mapSides<From, To>({ old, own, other }: Sides<From>, to: (side: From) => To): Sides<To> {
  return { old: to(old), own: to(own), other: to(other) };
}

/** Merges things by their keys, one by one: those of this side first, in its order. `pick` decides on each. */
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
