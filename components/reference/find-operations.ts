import type { OperationLink } from "./operation.ts";

/** The operations that have every word of the search in their summary, method, path, name or tag, in any case. */
export function findOperations(links: readonly OperationLink[], search: string): readonly OperationLink[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return links;
  return links.filter(({ id, method, path, summary, tag }) => {
    const text = `${summary} ${method} ${path} ${id} ${tag}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
