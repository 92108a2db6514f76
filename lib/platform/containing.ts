/** A text as part of a pattern of `LIKE`, where `%`, `_` and backslashes have a meaning of their own. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** A condition of Prisma on a column: it contains the text, in any case. Prisma itself escapes nothing. */
export function containing(text: string) {
  return { contains: escapeLike(text), mode: "insensitive" as const };
}
