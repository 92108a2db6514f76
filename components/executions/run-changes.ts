"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { useDeletion } from "#components/deletion/pending-deletion.ts";
import { explainFailure } from "#components/page/failure-notice.tsx";
import type { JsonObject } from "#lib/engine/json.ts";

/** Why an action failed. */
interface Problem {
  readonly what: string;
  readonly text: string;
}

export interface RetryWish {
  /** Null: from the beginning. */
  readonly fromNode: string | null;
  /** Null: this run's input. */
  readonly overrideData: JsonObject | null;
  /** Whether identical requests reuse the original's idempotency keys. */
  readonly idempotency: "same" | "new";
}

/** Actions on a run; `problem` says why the last one failed. */
export function useRunChanges(id: string) {
  const api = useApi();
  const router = useRouter();
  const queries = useQueryClient();
  const [problem, setProblem] = useState<Problem | null>(null);
  /** A new attempt clears the problem of the last one. */
  const reporting = (what: string) => ({
    onMutate: () => setProblem(null),
    onError: (error: Error) => {
      const { why, todo } = explainFailure(error);
      setProblem({ what, text: `${why} ${todo}` });
    },
  });
  const listChanged = () => queries.invalidateQueries({ queryKey: ["runs", "list"] });

  const cancel = useMutation({
    mutationFn: (reason: string) =>
      api.call("cancelExecution", { params: { id }, body: { reason: reason === "" ? null : reason } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["runs"] }),
    ...reporting("The run was not cancelled"),
  });
  const retry = useMutation({
    mutationFn: (body: RetryWish) => api.call("retryExecution", { params: { id }, body: { ...body } }),
    onSuccess: async ({ executionId }) => {
      await listChanged();
      router.push(`/runs/${executionId}`);
    },
    ...reporting("The run was not started again"),
  });
  const putOff = useDeletion();
  const remove = (flowName: string) => {
    putOff({
      id,
      message: `The run of ${flowName} is deleted, with its data and logs.`,
      run: (given) => given.call("deleteExecution", { params: { id }, keepalive: true }),
      stale: ["runs"],
      failed: "The run was not deleted.",
    });
    router.push("/runs");
  };
  /** Deleting one in progress cancels it, which cannot be undone. */
  const removeLive = useMutation({
    mutationFn: () => api.call("deleteExecution", { params: { id } }),
    onSuccess: async () => {
      router.push("/runs");
      await listChanged();
    },
    ...reporting("The run was not deleted"),
  });
  return { cancel, retry, remove, removeLive, problem };
}
