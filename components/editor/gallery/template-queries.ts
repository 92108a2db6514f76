import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import type { TemplateCategory } from "#lib/contract/templates.ts";

/** More templates than there are. */
const all = 100;

export const templateQueries = {
  list: (api: Api, search: string) =>
    queryOptions({
      queryKey: ["templates", "list", search],
      // With its search: while the next is loading, the list is drawn as the one that it is.
      queryFn: async ({ signal }) => ({
        search,
        ...(await api.callList("listTemplates", { query: { search, limit: all }, signal })),
      }),
      placeholderData: keepPreviousData,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  one: (api: Api, id: string) =>
    queryOptions({
      queryKey: ["templates", "one", id],
      queryFn: ({ signal }) => api.call("readTemplate", { params: { id }, signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  tables: (api: Api) =>
    queryOptions({
      queryKey: ["tables", "names"],
      queryFn: ({ signal }) => api.callList("listTables", { query: { limit: all }, signal }),
    }),
};

/** Display names of the subjects, in the gallery's order. */
export const categoryWords: Readonly<Record<TemplateCategory, string>> = {
  basics: "Basics",
  sales: "Sales",
  marketing: "Marketing",
  support: "Support",
  finance: "Finance",
  operations: "Operations",
  engineering: "Engineering",
  data: "Data",
};
