"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type Api, useApi } from "#components/api/use-api.ts";
import { explainFailure } from "#components/page/explain-failure.ts";
import { showToast } from "#components/toast/toast.ts";
import { ApiError } from "#lib/contract/client.ts";
import { putOff } from "./put-off.ts";

interface Deletion {
  readonly id: string;
  /** "Order intake is deleted." */
  readonly message: string;
  /** Must be sent with `keepalive`, so that it outlives the page. */
  readonly run: (api: Api) => Promise<unknown>;
  /** Of the queries that it makes stale, how their keys begin. */
  readonly stale: readonly string[];
  /** Told with the reason when it was not deleted: "The flow was not deleted." */
  readonly failed: string;
}

/** Deletes what can be taken back for a while; see `putOff`. What is shown afterwards need not be what asked for it. */
export function useDeletion(): (deletion: Deletion) => void {
  const api = useApi();
  const queries = useQueryClient();
  return ({ id, message, run, stale, failed }) =>
    putOff({
      id,
      message,
      run: async () => {
        try {
          await run(api);
        } catch (error) {
          // Somebody else was quicker.
          if (!(error instanceof ApiError && error.status === 404)) {
            const { why, todo } = explainFailure(error);
            void showToast({ message: `${failed} ${why} ${todo}`.trim(), tone: "failed" });
          }
        }
        await Promise.all(stale.map((key) => queries.invalidateQueries({ queryKey: [key] })));
      },
    });
}
