import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, Suspense } from "react";
import { useApi } from "#components/api/use-api.ts";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { statusFace } from "#components/status/run-status.tsx";
import { useExactTime } from "#components/time/relative-time.tsx";
import type { RunInput } from "./run-input.ts";
import { runQueries } from "./run-queries.ts";

const LoadedDialog = lazyPart(async () => ({ default: (await import("./input-dialog.tsx")).InputDialog }));

/** The dialog for a run's input. Its code is loaded when it opens. */
export function LazyInputDialog(dialog: ComponentProps<typeof LoadedDialog>) {
  return (
    <Suspense>
      <LoadedDialog {...dialog} />
    </Suspense>
  );
}

const shown = 10;

/** The inputs of a flow's latest runs, newest first. */
export function useEarlierInputs(flowId: string): RunInput[] {
  const list = runQueries.list(useApi(), { flow: flowId, limit: shown });
  // Read once: with a newer list, another input would take the place of the one that is about to be run.
  const runs = useQuery({ ...list, refetchInterval: false, refetchOnWindowFocus: false }).data?.items ?? [];
  const { format } = useExactTime();
  return runs.map(({ id, startedAt, trigger: { data }, ...run }) => ({
    id,
    label: `Run of ${format(startedAt)} · ${statusFace(run).label.toLowerCase()}`,
    data,
  }));
}
