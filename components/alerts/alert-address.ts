import { runsAddress } from "#components/executions/runs-address.ts";
import type { ShownAlert } from "#lib/contract/alerts.ts";

/** Where an alert is looked into: the run that gave the reason, or the runs that did. */
export function alertAddress({ kind, executionId, flowId, at }: ShownAlert): string {
  if (executionId !== null) return `/runs/${executionId}`;
  const flow = flowId ?? undefined;
  return runsAddress(kind === "failure_rate" ? { flow, status: "failed,timeout", to: at } : { flow });
}
