// What every runtime does, a replay does: each run of the conformance suite makes a test, and passes it.
import { expect, test } from "vitest";
import { apiKey, baseUrl } from "#e2e/support/address.ts";
import { get, post } from "#e2e/support/api-client.ts";
import { Driver } from "#e2e/support/conformance/driver.ts";
import { failureCases } from "#e2e/support/conformance/failure-cases.ts";
import { flowControlCases } from "#e2e/support/conformance/flow-control-cases.ts";
import { graphCases } from "#e2e/support/conformance/graph-cases.ts";
import { waitCases } from "#e2e/support/conformance/wait-cases.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";

// The runs that are listed are those of the cases alone.
inOwnWorkspace("Replayed runs");

interface Results {
  readonly passed: number;
  readonly results: readonly { readonly problems: readonly unknown[] }[];
}

/** Runs that were looked at: those that were cancelled make no test. */
const seen = new Set<string>();
const cases = [...graphCases, ...failureCases, ...waitCases, ...flowControlCases];

test.each(cases)("$name, and when it is replayed", async ({ check }) => {
  await check(new Driver({ url: baseUrl(), apiKey: apiKey() }, "inline"));
  const { data: runs } = await get<{ id: string; flowId: string; status: string }[]>("/executions?limit=20");
  for (const { id, flowId, status } of runs.filter((run) => !seen.has(run.id))) {
    seen.add(id);
    if (status !== "completed" && status !== "failed") continue;
    const made = await post<{ expect: { status: string } }>(`/flows/${flowId}/tests`, { fromExecutionId: id });
    expect([made.status, made.data?.expect?.status]).toEqual([201, status]);
    const { data } = await post<Results>(`/flows/${flowId}/tests/run`, {});
    for (const { problems } of data.results) expect(problems).toEqual([]);
  }
});
