import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";

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

/** Creates a test from a run of a flow, and returns its name. */
export async function createTestFrom(
  api: Api,
  queries: QueryClient,
  { id, flowId }: Pick<ShownExecution, "id" | "flowId">,
): Promise<string> {
  const body = { fromExecutionId: id };
  const { name } = await api.call("createFlowTest", { params: { id: flowId }, body });
  void queries.invalidateQueries({ queryKey: testsKey(flowId) });
  return name;
}
