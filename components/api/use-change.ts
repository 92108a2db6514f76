"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { explainFailure } from "#components/page/explain-failure.ts";
import { showToast } from "#components/toast/toast.ts";
import { type Api, useApi } from "./use-api.ts";

interface ChangeOptions<Given, Result> {
  readonly run: (api: Api, given: Given) => Promise<Result>;
  /** Of the queries that the change makes stale, how their keys begin. */
  readonly stale: readonly string[];
  /** Told in a toast when it was done. */
  readonly done?: string | ((result: Result, given: Given) => string);
  /** Told in a toast, with the reason, when it was not; without it the caller tells it. */
  readonly failed?: string;
  readonly onDone?: (result: Result, given: Given) => void;
  /** Takes it back; offered in the toast that tells `done`. */
  readonly undo?: (result: Result, given: Given) => void;
}

/** Something to do over the API: what it changes is read anew, and what came of it is told. */
export function useChange<Given, Result>({ run, stale, done, failed, onDone, undo }: ChangeOptions<Given, Result>) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (given: Given) => run(api, given),
    onSuccess: async (result, given) => {
      onDone?.(result, given);
      const message = typeof done === "function" ? done(result, given) : done;
      if (message !== undefined) void showToast({ message, ...(undo && { undo: () => undo(result, given) }) });
      await Promise.all(stale.map((key) => queries.invalidateQueries({ queryKey: [key] })));
    },
    onError: (error) => {
      if (failed === undefined) return;
      const { why, todo } = explainFailure(error);
      void showToast({ message: `${failed} ${why} ${todo}`.trim(), tone: "failed" });
    },
  });
}
