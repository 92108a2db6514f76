"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { explainFailure } from "#components/page/explain-failure.ts";
import { call } from "#lib/contract/client.ts";
import { cancelExecution, deleteExecution, retryExecution } from "#lib/contract/executions.ts";

/** What can be done to a run. Each says in words when it did not work. */
export function useRunChanges(id: string) {
  const router = useRouter();
  const queries = useQueryClient();
  const failed = (what: string) => (error: Error) => {
    const { why, todo } = explainFailure(error);
    notifications.show({ color: "red", title: what, message: `${why} ${todo}`, autoClose: 8_000 });
  };
  const listChanged = () => queries.invalidateQueries({ queryKey: ["runs", "list"] });

  const cancel = useMutation({
    mutationFn: (reason: string) =>
      call(cancelExecution, { params: { id }, body: { reason: reason === "" ? null : reason } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["runs"] }),
    onError: failed("The run was not cancelled"),
  });
  const retry = useMutation({
    mutationFn: (fromNode: string | null) => call(retryExecution, { params: { id }, body: { fromNode } }),
    onSuccess: async ({ executionId }) => {
      await listChanged();
      router.push(`/runs/${executionId}`);
    },
    onError: failed("The run was not started again"),
  });
  const remove = useMutation({
    mutationFn: () => call(deleteExecution, { params: { id } }),
    onSuccess: async () => {
      router.push("/runs");
      await listChanged();
      notifications.show({ message: "The run was deleted." });
    },
    onError: failed("The run was not deleted"),
  });
  return { cancel, retry, remove };
}
