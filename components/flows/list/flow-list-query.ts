import type { FlowListQuery } from "#components/flows/flow-queries.ts";

/** What the page of all flows lists, by its URL. Of what is searched for, the best comes first unless another order is chosen. */
export function flowListQuery(read: (name: string) => string | undefined): FlowListQuery {
  const search = read("search");
  const [sortBy, order] = (read("sort") ?? (search === undefined ? "activity-desc" : "relevance")).split("-");
  const isStarred = read("favorite") === "true";
  return { page: read("page"), search, status: read("status"), tag: read("tag"), isStarred, sortBy, order };
}
