/** All names together. Names grow with every level, so that small values could take gigabytes. */
const namesCharactersMax = 1_048_576;

/** A body that cannot be sent. */
export class BodyTooLarge extends Error {}

/**
 * Flattens nested values to names with brackets: `{a: {b: 1}, c: [2]}` becomes `{"a[b]": 1, "c[0]": 2}`. Throws
 * BodyTooLarge.
 */
export function bracketed(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  let left = namesCharactersMax;
  const visit = (name: string, value: unknown): void => {
    left -= name.length;
    if (left < 0) throw new BodyTooLarge(`its fields' names take more than ${namesCharactersMax} characters`);
    if (typeof value !== "object" || value === null) {
      flat[name] = value;
      return;
    }
    for (const [key, inner] of Object.entries(value)) visit(`${name}[${key}]`, inner);
  };
  for (const [name, value] of Object.entries(values)) visit(name, value);
  return flat;
}
