"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useApi } from "#components/api/use-api.ts";
import { InputDialog } from "#components/executions/input-dialog.tsx";
import { useEarlierInputs } from "#components/executions/use-earlier-inputs.ts";
import { explainFailure } from "#components/page/explain-failure.ts";
import type { JsonObject } from "#lib/engine/json.ts";

interface RunDialogProps {
  readonly flowId: string;
  readonly flowName: string;
  readonly onClose: () => void;
}

/** Runs a flow and goes to the run. */
export function RunDialog({ flowId, flowName, onClose }: RunDialogProps) {
  const api = useApi();
  const router = useRouter();
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: (data: JsonObject) => api.call("executeFlow", { params: { id: flowId }, body: { data } }),
    onSuccess: async ({ executionId }) => {
      await queries.invalidateQueries({ queryKey: ["runs", "list"] });
      router.push(`/runs/${executionId}`);
    },
  });
  return (
    <InputDialog
      title={`Run ${flowName}`}
      inputs={useEarlierInputs(flowId)}
      onRun={(data) => start.mutate(data)}
      onClose={onClose}
      busy={start.isPending || start.isSuccess}
      failure={start.error === null ? null : `The run could not be started. ${explainFailure(start.error).why}`}
    />
  );
}
