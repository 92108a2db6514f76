/** Orders rows newest first; the id decides between rows of one instant. */
export const newestFirst = { orderBy: [{ createdAt: "desc" as const }, { id: "desc" as const }] };

/** A page of rows, and how many there are in all. Past the last page, none are read. */
export async function pageOf<Item>(
  { page, limit }: { readonly page: number; readonly limit: number },
  count: PromiseLike<number>,
  read: (part: { readonly skip: number; readonly take: number }) => Promise<Item[]>,
): Promise<{ items: Item[]; total: number }> {
  const total = await count;
  const skip = (page - 1) * limit;
  return { items: skip >= total ? [] : await read({ skip, take: limit }), total };
}
