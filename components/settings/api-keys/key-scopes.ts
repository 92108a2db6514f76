import { type Scope, scopes } from "#lib/access.ts";

/** Scopes by resource: `flows` has `read`, `write` and `execute`. */
export const scopesBySubject: readonly (readonly [string, readonly Scope[]])[] = [
  ...Map.groupBy(scopes, (scope) => scope.split(":")[0] ?? ""),
];

export const readingScopes: readonly Scope[] = scopes.filter((scope) => scope.endsWith(":read"));

/** A key's access, in a word or two. */
export function accessInWords(given: readonly string[]): string {
  if (scopes.every((scope) => given.includes(scope))) return "Full access";
  if (given.every((scope) => scope.endsWith(":read"))) return given.length === 1 ? (given[0] ?? "") : "Read only";
  return given.length <= 2 ? given.join(", ") : `${given.length} of ${scopes.length} scopes`;
}
