import type { Tryable, TryableField } from "./tryable.ts";

/** What was filled in: by `path.id`, `query.limit`, `header.If-Match`; empty text is left out. */
export type FieldValues = Readonly<Record<string, string>>;

export interface Filled {
  readonly values: FieldValues;
  /** As it was written, JSON or not. */
  readonly body: string;
  /** A key to be sent; empty for the session. */
  readonly key: string;
}

export const fieldKey = ({ in: place, name }: Pick<TryableField, "in" | "name">): string => `${place}.${name}`;

/** The request that was filled in: address at this origin, and what `fetch` takes. */
export function requestOf(operation: Tryable, { values, body, key }: Filled): { url: string; init: RequestInit } {
  const given = operation.fields.flatMap((field) => {
    const value = values[fieldKey(field)] ?? "";
    return value === "" ? [] : [{ ...field, value }];
  });
  const inPath = new Map(given.filter((field) => field.in === "path").map(({ name, value }) => [name, value]));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath.get(name) ?? ""));
  const query = new URLSearchParams(
    given.filter((field) => field.in === "query").map(({ name, value }) => [name, value]),
  );
  const hasBody = operation.body !== null && body.trim() !== "";
  const headers = [
    ...given.filter((field) => field.in === "header").map(({ name, value }): [string, string] => [name, value]),
    ...(key === "" ? [] : [["Authorization", `Bearer ${key}`] as [string, string]]),
    ...(hasBody ? [["Content-Type", "application/json"] as [string, string]] : []),
  ];
  return {
    url: `${operation.base}${path}${query.size > 0 ? `?${query}` : ""}`,
    init: {
      method: operation.method,
      headers,
      // With a key, as a program would: without this browser's session.
      credentials: key === "" && !operation.access.isOpen ? "same-origin" : "omit",
      ...(hasBody ? { body } : {}),
    },
  };
}

/** Required fields that are empty: by their names. */
export function missingFields({ fields }: Tryable, values: FieldValues): string[] {
  return fields.filter((field) => field.isRequired && !values[fieldKey(field)]?.trim()).map(({ name }) => name);
}
