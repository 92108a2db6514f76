import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { isLive } from "#components/status/run-status.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import type { CallWait } from "#lib/contract/executions/waits.ts";

const pollMs = 3_000;

/** Whether it waits for a call, as a form's answer is. */
const isCalled = ({ waitingFor }: Pick<ShownExecution, "waitingFor">) =>
  waitingFor === "approval" || waitingFor === "call";

/** A run's outside waits and who answered them; requested only for runs that may wait. */
export function useRunWaits(run: Pick<ShownExecution, "id" | "status" | "nodes" | "waitingFor">): readonly CallWait[] {
  const api = useApi();
  const types = useQuery(flowQueries.nodeTypes(api)).data ?? [];
  const called = new Set(types.filter(({ waitsFor }) => waitsFor === "call").map(({ type }) => type));
  const begun = run.nodes.filter(({ type, startedAt }) => called.has(type) && startedAt !== null);
  const states = begun.map(({ nodeId, status, waitingFor }) => `${nodeId} ${status} ${waitingFor ?? ""}`).join();
  const mayBeLate = isLive(run.status) && begun.some(({ status }) => status === "running");
  const waits = useQuery({
    // Refetched when a wait starts or ends.
    queryKey: ["runs", "waits", run.id, run.status, run.waitingFor, states],
    queryFn: ({ signal }) => api.call("listWaits", { params: { id: run.id }, signal }),
    enabled: begun.length > 0 || isCalled(run),
    placeholderData: (before) => before,
    refetchInterval: mayBeLate || isCalled(run) ? pollMs : false,
  });
  return waits.data ?? [];
}

/** A wait's key within its run. */
export const waitKey = ({ nodeId, iteration }: CallWait): string => `${nodeId} ${iteration ?? ""}`;

/** Whether it waits in a loop's body, whose nodes are not among the run's; an agent's steps are the agent's. */
export const isInLoop = (wait: CallWait, { nodes }: Pick<ShownExecution, "nodes">): boolean =>
  !nodes.some(({ nodeId }) => nodeId === wait.nodeId);

/** What a wait is called: its form's title, and in a loop which item it is for. */
export function waitTitle(wait: CallWait, run: Pick<ShownExecution, "nodes">): string {
  const { form, nodeName, hasForm, iteration } = wait;
  const title = form?.title ?? `${nodeName} waits for ${hasForm ? "an answer" : "a call"}`;
  return isInLoop(wait, run) ? `${title} · Item ${iteration}` : title;
}
