/** Work between two yields: characters, plus about 20 per value. */
const charactersAtOnce = 300_000;
const charactersOfAValue = 20;

/**
 * A copy of a JSON value with every string and key masked, and numbers that spell a secret replaced by masked text; the
 * value itself if there is nothing to mask. Yields now and then. Iterative, so that deeply nested values do not
 * overflow the stack.
 */
export function* maskedCopy(
  root: unknown,
  text: (text: string) => string,
  mayBeNumber: boolean,
): Generator<void, unknown, undefined> {
  const copies = new Map<object, object>();
  const pending: object[] = [];
  let isChanged = false;
  let cost = 0;
  const masked = (original: string): string => {
    cost += original.length;
    const result = text(original);
    isChanged ||= result !== original;
    return result;
  };
  const copyOf = (item: unknown): unknown => {
    if (typeof item === "string") return masked(item);
    if (typeof item === "number" && mayBeNumber) {
      const written = String(item);
      const result = masked(written);
      return result === written ? item : result;
    }
    if (typeof item !== "object" || item === null) return item;
    const known = copies.get(item);
    if (known) return known;
    const copy = Array.isArray(item) ? [] : {};
    copies.set(item, copy);
    pending.push(item);
    return copy;
  };

  const result = copyOf(root);
  for (let source = pending.pop(); source !== undefined; source = pending.pop()) {
    const copy = copies.get(source);
    const entries = Array.isArray(source) ? source.entries() : ownEntries(source);
    for (const [key, item] of entries) {
      cost += charactersOfAValue;
      if (cost > charactersAtOnce) {
        cost = 0;
        yield;
      }
      if (Array.isArray(copy)) copy.push(copyOf(item));
      else if (copy) define(copy, masked(String(key)), copyOf(item));
    }
  }
  return isChanged ? result : root;
}

function* ownEntries(source: object): Generator<[string, unknown]> {
  for (const key of Object.keys(source)) yield [key, (source as Record<string, unknown>)[key]];
}

/** Assignment would treat a key named `__proto__` as the prototype. */
function define(target: object, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else (target as Record<string, unknown>)[key] = value;
}
