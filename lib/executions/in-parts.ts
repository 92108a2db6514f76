/** Splits a list, in order, so that no part has more bytes together than `most`, unless a single item has. */
export function inParts<Item>(items: readonly Item[], bytesOf: (item: Item) => number, most: number): Item[][] {
  const parts: Item[][] = [];
  let [part, bytes]: [Item[], number] = [[], 0];
  for (const item of items) {
    const more = bytesOf(item);
    if (part.length > 0 && bytes + more > most) {
      parts.push(part);
      [part, bytes] = [[], 0];
    }
    part.push(item);
    bytes += more;
  }
  return part.length > 0 ? [...parts, part] : parts;
}
