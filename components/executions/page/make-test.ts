import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import { explainFailure } from "#components/page/failure-notice.tsx";
import { createTestFrom } from "#components/tests/tests-query.ts";
import { showToast } from "#components/toast/toast.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";

/** Creates a test from a run, and says where it is, or why there is none. */
export async function makeTest(
  api: Api,
  queries: QueryClient,
  run: Pick<ShownExecution, "id" | "flowId">,
): Promise<void> {
  try {
    const name = await createTestFrom(api, queries, run);
    const link = { label: "Show the tests", href: `/flows/${run.flowId}/tests` };
    void showToast({ message: `Test "${name}" created.`, link });
  } catch (error) {
    void showToast({ message: `No test was created. ${explainFailure(error).why}`, tone: "failed" });
  }
}
