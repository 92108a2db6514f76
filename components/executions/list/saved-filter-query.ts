import { queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";

export const savedFilterQuery = (api: Api) =>
  queryOptions({
    queryKey: ["saved-filters"],
    queryFn: ({ signal }) => api.call("listSavedFilters", { signal }),
    staleTime: 60_000,
  });
