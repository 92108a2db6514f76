/** Whether two values are the same JSON; the order of keys does not matter, and undefined equals missing. */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isDeepEqual(item, b[index]));
  }
  const [left, right] = [entries(a), entries(b)];
  return (
    left.size === right.size && [...left].every(([key, value]) => right.has(key) && isDeepEqual(value, right.get(key)))
  );
}

function entries(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).filter(([, item]) => item !== undefined));
}
