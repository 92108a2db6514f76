"use client";
import { Checkbox, NativeSelect, Radio, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import type { useRunChanges } from "#components/executions/run-changes.ts";
import { readObject } from "#components/executions/run-input.ts";
import { runQueries } from "#components/executions/run-queries.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { RetryPlan } from "./retry-plan.tsx";

interface RetryDialogProps {
  readonly run: ShownExecution;
  /** The initial starting node; null for the beginning. */
  readonly fromNode: string | null;
  readonly changes: ReturnType<typeof useRunChanges>;
  readonly onClose: () => void;
}

/** Asks for the starting node and the input, and shows what will be reused and what will run. */
export function RetryDialog({ run, fromNode: given, changes, onClose }: RetryDialogProps) {
  const [fromNode, setFromNode] = useState(given);
  const [edits, setEdits] = useState(false);
  const [text, setText] = useState(() => JSON.stringify(run.trigger.data ?? {}, null, 2));
  const [problem, setProblem] = useState<string | null>(null);
  const [idempotency, setIdempotency] = useState(usualKeys(run));
  const plan = useQuery(runQueries.retryPlan(useApi(), run.id, fromNode, idempotency));
  const isSending = plan.data?.nodes.some(({ effect, replay }) => effect === "write" && replay.again) ?? false;
  const nodes = run.nodes.filter(({ status }) => status !== "skipped" && status !== "pending");
  const start = () => {
    const read = edits ? readObject(text) : { data: null, problem: null };
    setProblem(read.problem);
    if (read.problem !== null || (plan.data && plan.data.problem !== null)) return;
    changes.retry.mutate({ fromNode, overrideData: read.data, idempotency });
    onClose();
  };
  return (
    <FormDialog
      title={`Run ${run.flowName} again`}
      submit="Run again"
      size={560}
      change={{ isPending: changes.retry.isPending, mutate: start }}
      problem={plan.data?.problem ? `It cannot start there: ${plan.data.problem}.` : null}
      onClose={onClose}
    >
      <NativeSelect
        data-autofocus
        label="Start"
        data={[
          { value: "", label: "From the beginning" },
          ...nodes.map(({ nodeId, nodeName }) => ({ value: nodeId, label: `From ${nodeName}` })),
        ]}
        value={fromNode ?? ""}
        onChange={(event) => setFromNode(event.currentTarget.value || null)}
      />
      <RetryPlan plan={plan} />
      {isSending && (
        <Radio.Group
          label="Idempotency keys"
          description="The key lets a receiver detect a repeated request."
          value={idempotency}
          onChange={(value) => setIdempotency(value === "same" ? "same" : "new")}
        >
          <Radio
            size="xs"
            mt="xs"
            value="same"
            label="The original’s: receivers can skip what they have already done"
          />
          <Radio size="xs" mt="xs" value="new" label="New keys: everything is done again" />
        </Radio.Group>
      )}
      <Checkbox
        size="xs"
        label="Change the input"
        description="Otherwise the new run gets this run's input."
        checked={edits}
        onChange={(event) => setEdits(event.currentTarget.checked)}
      />
      {edits && (
        <Textarea
          label="Input"
          description="A JSON object. The flow reads it as $trigger.body."
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={problem}
          autosize
          minRows={6}
          maxRows={14}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--font-mono)", lineHeight: 1.6 } }}
        />
      )}
    </FormDialog>
  );
}

/** As the service does: an incomplete run resumes, a completed one repeats. */
function usualKeys({ status }: ShownExecution): "same" | "new" {
  return status === "completed" ? "new" : "same";
}
