import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import { explainFailure } from "#components/page/failure-notice.tsx";
import { testsKey } from "#components/tests/tests-query.ts";
import { showToast } from "#components/toast/toast.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";

/** Creates a test from a run, and says where it is, or why there is none. */
export async function makeTest(
  api: Api,
  queries: QueryClient,
  { id, flowId }: Pick<ShownExecution, "id" | "flowId">,
): Promise<void> {
  try {
    const body = { fromExecutionId: id };
    const { name } = await api.call("createFlowTest", { params: { id: flowId }, body });
    const link = { label: "Show the tests", href: `/flows/${flowId}/tests` };
    void showToast({ message: `Test "${name}" created.`, link });
    await queries.invalidateQueries({ queryKey: testsKey(flowId) });
  } catch (error) {
    void showToast({ message: `No test was created. ${explainFailure(error).why}`, tone: "failed" });
  }
}
