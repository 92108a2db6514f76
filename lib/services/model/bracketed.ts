/** Flattens nested values to names with brackets: `{a: {b: 1}, c: [2]}` becomes `{"a[b]": 1, "c[0]": 2}`. */
export function bracketed(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  const visit = (name: string, value: unknown): void => {
    if (typeof value !== "object" || value === null) {
      flat[name] = value;
      return;
    }
    for (const [key, inner] of Object.entries(value)) visit(`${name}[${key}]`, inner);
  };
  for (const [name, value] of Object.entries(values)) visit(name, value);
  return flat;
}
