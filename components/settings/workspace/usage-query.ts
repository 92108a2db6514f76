import { queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";

export const usageQuery = (api: Api) =>
  queryOptions({
    queryKey: ["usage"],
    queryFn: ({ signal }) => api.call("readUsage", { signal }),
    refetchInterval: 30_000,
  });
