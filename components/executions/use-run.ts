"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useApi } from "#components/api/use-api.ts";
import { isLive } from "#components/status/run-statuses.ts";
import type { ShownExecution } from "#lib/contract/executions.ts";
import { applyRunEvent, followRun } from "./follow-run.ts";
import { runQueries } from "./run-queries.ts";

/** A run with its log; while it goes on, what happens in it is told as it happens. */
export function useRun(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  const run = useQuery(runQueries.one(api, id));
  const live = run.data !== undefined && isLive(run.data.status);
  useEffect(() => {
    if (!live) return undefined;
    const { queryKey } = runQueries.one(api, id);
    return followRun(api, id, (event) => {
      queries.setQueryData<ShownExecution>(queryKey, (known) => applyRunEvent(known, event));
      // Of the run as a whole the log tells more than a stream does: when it waited, and how it ended.
      if (event.event === "execution" && !isLive(event.data.status)) void queries.invalidateQueries({ queryKey });
      // What a node was given and made is asked for by itself.
      if (event.event === "node") void queries.invalidateQueries({ queryKey: ["runs", "node", id, event.data.nodeId] });
    });
  }, [api, id, live, queries]);
  return run;
}
