import { queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";

/** Key prefix of the queries of a flow's tests. */
export const testsKey = (flowId: string) => ["flows", "tests", flowId] as const;

/** The maximum number of tests per flow. */
const testsMax = 100;

/** A flow's tests. */
export const testsOf = (api: Api, flowId: string) =>
  queryOptions({
    queryKey: testsKey(flowId),
    queryFn: ({ signal }) =>
      api.callList("listFlowTests", { params: { id: flowId }, query: { limit: testsMax }, signal }),
  });
