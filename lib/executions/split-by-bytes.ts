/** Splits a list, in order, into parts of at most `bytesMax` bytes each; a larger item gets its own part. */
export function splitByBytes<Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  bytesMax: number,
): Item[][] {
  const parts: Item[][] = [];
  let [part, bytes]: [Item[], number] = [[], 0];
  for (const item of items) {
    const itemBytes = bytesOf(item);
    if (part.length > 0 && bytes + itemBytes > bytesMax) {
      parts.push(part);
      [part, bytes] = [[], 0];
    }
    part.push(item);
    bytes += itemBytes;
  }
  return part.length > 0 ? [...parts, part] : parts;
}
