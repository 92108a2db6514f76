"use client";

import { Button, Group, Modal, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { readObject } from "#components/executions/read-object.ts";
import { runQueries } from "#components/executions/run-queries.ts";
import { explainFailure } from "#components/page/explain-failure.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";

interface RunDialogProps {
  readonly flowId: string;
  readonly flowName: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function RunDialog({ flowId, flowName, opened, onClose }: RunDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Run ${flowName}`} size={560}>
      <RunForm flowId={flowId} onClose={onClose} />
    </Modal>
  );
}

/** Asks for what the run starts with; the latest run's input stands there already. */
function RunForm({ flowId, onClose }: { readonly flowId: string; readonly onClose: () => void }) {
  const api = useApi();
  const router = useRouter();
  const queries = useQueryClient();
  const latest = useQuery(runQueries.list(api, { flow: flowId, limit: 10 })).data?.items[0]?.trigger.data;
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const text = typed ?? JSON.stringify(isJsonObject(latest) ? latest : {}, null, 2);
  const start = useMutation({
    mutationFn: (data: JsonObject) => api.call("executeFlow", { params: { id: flowId }, body: { data } }),
    onSuccess: async ({ executionId }) => {
      await queries.invalidateQueries({ queryKey: ["runs", "list"] });
      router.push(`/runs/${executionId}`);
    },
    onError: (error) => setProblem(`The run could not be started. ${explainFailure(error).why}`),
  });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    const read = readObject(text);
    setProblem(read.problem);
    if (read.data !== null) start.mutate(read.data);
  };
  return (
    <form onSubmit={submit}>
      <Textarea
        data-autofocus
        label="Input"
        description="A JSON object; the flow sees it as $trigger.body."
        value={text}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && (event.metaKey || event.ctrlKey) && submit()}
        error={problem}
        autosize
        minRows={8}
        maxRows={18}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--font-mono)", lineHeight: 1.6 } }}
      />
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button type="submit" loading={start.isPending || start.isSuccess}>
          Run
        </Button>
      </Group>
    </form>
  );
}
