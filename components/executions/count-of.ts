/** A number behind a tab's name; nothing while it is not known. */
export function countOf(count: number | undefined): string {
  return count === undefined ? "" : ` (${count})`;
}
