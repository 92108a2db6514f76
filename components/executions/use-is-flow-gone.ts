"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { ApiError } from "#lib/contract/client.ts";

/** Whether the flow of a run was deleted; false as long as that is not known. */
export function useIsFlowGone(flowId: string | undefined): boolean {
  const api = useApi();
  const flow = useQuery({
    queryKey: ["flows", "is-there", flowId],
    queryFn: ({ signal }) => api.call("readFlow", { params: { id: flowId ?? "" }, signal }),
    enabled: flowId !== undefined,
    staleTime: 60_000,
    select: ({ id }) => id,
  });
  return flow.error instanceof ApiError && flow.error.code === "NOT_FOUND";
}
