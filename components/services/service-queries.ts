import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";

const staleTime = 60_000;
/** Beyond this, the user must narrow the search. */
const foundMax = 50;

export const serviceQueries = {
  all: (api: Api) =>
    queryOptions({
      queryKey: ["services", "all"],
      queryFn: ({ signal }) => api.callList("listServices", { query: { limit: 100 }, signal }),
      staleTime,
    }),
  /** A page of the workspace's imported services. */
  imported: (api: Api, page: string | undefined, search: string | undefined) =>
    queryOptions({
      queryKey: ["services", "imported", page, search],
      queryFn: ({ signal }) => api.callList("listServices", { query: { imported: true, page, search }, signal }),
      placeholderData: keepPreviousData,
    }),
  /** The flows that call a service. */
  uses: (api: Api, id: string) =>
    queryOptions({
      queryKey: ["services", "uses", id],
      queryFn: ({ signal }) => api.call("listServiceUses", { params: { id }, signal }),
    }),
  one: (api: Api, id: string) =>
    queryOptions({
      queryKey: ["services", "one", id],
      queryFn: ({ signal }) => api.call("readService", { params: { id }, signal }),
      staleTime,
      retry: false,
    }),
  operation: (api: Api, id: string, operationId: string) =>
    queryOptions({
      queryKey: ["services", "one", id, operationId],
      queryFn: ({ signal }) => api.call("readOperation", { params: { id, operationId }, signal }),
      staleTime,
      retry: false,
    }),
  /** Matching operations, best first. */
  matching: (api: Api, search: string) =>
    queryOptions({
      queryKey: ["services", "matching", search],
      queryFn: ({ signal }) => api.callList("listOperations", { query: { search, limit: foundMax }, signal }),
      placeholderData: keepPreviousData,
      staleTime,
    }),
};

/** "12 operations". */
export function operationsInWords(count: number): string {
  return count === 1 ? "1 operation" : `${count.toLocaleString("en")} operations`;
}
