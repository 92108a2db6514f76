/**
 * About how many characters a value has as JSON; counted only until it is more than `most`, and without recursion. What
 * is there several times counts each time, as it does in the text.
 */
export function jsonCharacters(root: unknown, most: number): number {
  const pending: unknown[] = [root];
  let count = 0;
  while (pending.length > 0 && count <= most) {
    const value = pending.pop();
    if (typeof value === "string") count += value.length + 2;
    else if (typeof value !== "object" || value === null) count += 4;
    else if (Array.isArray(value)) {
      count += value.length + 2;
      for (const item of value) pending.push(item);
    } else {
      for (const [key, item] of Object.entries(value)) {
        count += key.length + 4;
        pending.push(item);
      }
    }
  }
  return count;
}
