import { type UseQueryResult, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { iterationsOnPage, runQueries } from "#components/executions/run-queries.ts";
import { isLive } from "#components/status/run-status.tsx";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import type { LoopIteration, ReadIteration } from "#lib/contract/executions/iterations.ts";
import { useSampleRun } from "../panel/data/use-sample-run.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";

/** The items that a loop has started in a run, and the shown one. */
export interface ItemsOfLoop {
  /** Counted from 0. */
  readonly index: number;
  readonly total: number;
  /** The shown item's key for the API: `3`, or `3.0` in a nested loop. */
  readonly iteration: string;
  readonly item: LoopIteration | null;
  readonly hasOtherFailed: boolean;
  /** The next failed item, or the first; null if none is left. */
  readonly findNextFailed: () => Promise<number | null>;
}

/**
 * A loop's items in a run; null before the first has started. `outer`: the surrounding loop's item. Unless the user has
 * chosen one, shows the first failed item, else the newest.
 */
export function useItemsOfLoop(
  run: ShownExecution | null,
  loopId: string,
  outer: string | null,
  isKnown: boolean,
): ItemsOfLoop | null {
  const { api, runs } = useSession();
  const client = useQueryClient();
  const chosen = useStore(runs.store, (state) => state.chosenItems.get(loopId));
  const live = run !== null && isLive(run.status);
  const request = { runId: run?.id ?? "", nodeId: loopId, within: outer ?? undefined, page: 1 };
  const enabled = run !== null && loopId !== "" && isKnown;
  const [all, failed] = useQueries({
    queries: [false, true].map((failedOnly) => {
      const { placeholderData: _, ...query } = runQueries.iterations(api, { ...request, failedOnly }, live);
      return { ...query, enabled, retry: false };
    }),
  });
  const total = all?.data?.pagination.total ?? 0;
  const failures = (failed?.data?.items ?? []).map(({ iteration }) => lastOf(iteration));
  const index = Math.min(chosen ?? failures[0] ?? total - 1, total - 1);
  const iteration = outer === null ? `${index}` : `${outer}.${index}`;
  const shown = useQuery({
    ...runQueries.iteration(api, { runId: request.runId, nodeId: loopId, iteration }, live),
    enabled: enabled && total > 0,
    retry: false,
  });
  if (total === 0) return null;
  const failedCount = failed?.data?.pagination.total ?? 0;
  const item = shown.data ?? null;
  const findNextFailed = () =>
    nextFailed(index, failedCount, async (page) => {
      const query = { ...request, page, failedOnly: true };
      const { items } = await client.fetchQuery(runQueries.iterations(api, query, live));
      return items.map((item) => lastOf(item.iteration));
    });
  return {
    index,
    total,
    iteration,
    item,
    hasOtherFailed: failedCount > (item?.status === "failed" ? 1 : 0),
    findNextFailed,
  };
}

/**
 * The next failed item, or the first of all. Items are sorted, so a few pages are enough for any number
 * of them. `read`: returns a page of items, counted from 1.
 */
export async function nextFailed(
  after: number,
  count: number,
  read: (page: number) => Promise<readonly number[]>,
): Promise<number | null> {
  let [first, last] = [1, Math.ceil(count / iterationsOnPage)];
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    const end = (await read(middle)).at(-1);
    if (end === undefined || end > after) last = middle;
    else first = middle + 1;
  }
  const found = count === 0 ? undefined : (await read(first)).find((item) => item > after);
  return found ?? (count === 0 ? null : ((await read(1))[0] ?? null));
}

function lastOf(iteration: string): number {
  return Number(iteration.split(".").at(-1));
}

/**
 * Publishes what the open loops' nodes did in the shown item, for cards, drawer and previews. `iteration`: the innermost
 * loop's; null for none.
 */
export function useShownItem(iteration: string | null): void {
  const { api, runs } = useSession();
  const run = useSampleRun();
  const within = useEditorState((state) => state.within);
  const live = run !== null && isLive(run.status);
  const runId = run?.id ?? "";
  const turns = iteration?.split(".") ?? [];
  const read = useQueries({
    queries: within.map((nodeId, depth) => ({
      ...runQueries.iteration(api, { runId, nodeId, iteration: turns.slice(0, depth + 1).join(".") }, live),
      enabled: run !== null && iteration !== null,
      retry: false,
    })),
    combine: nodesOf,
  });
  const nodes = useMemo(() => {
    const known = new Map<string, ShownNodeExecution>();
    for (const node of read.flatMap((list) => list ?? [])) known.set(node.nodeId, node);
    return known;
  }, [read]);
  useEffect(() => {
    runs.showItem(
      runId === "" ? null : { runId, iteration, turns: iteration === null ? [] : turnsOf(iteration), nodes },
    );
  }, [runs, runId, iteration, nodes]);
  useEffect(() => () => runs.showItem(null), [runs]);
}

/** Outside the hook: a new function per render would produce new results, too. */
function nodesOf(results: readonly UseQueryResult<ReadIteration>[]) {
  return results.map(({ data }) => data?.nodes);
}

function turnsOf(iteration: string): number[] {
  return iteration.split(".").map(Number);
}
