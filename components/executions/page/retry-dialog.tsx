"use client";
import { Checkbox, NativeSelect, Radio, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
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
  const form = useForm({
    initialValues: {
      fromNode: given ?? "",
      edits: false,
      input: JSON.stringify(run.trigger.data ?? {}, null, 2),
      idempotency: usualKeys(run),
    },
    validate: { input: (text, { edits }) => (edits ? readObject(text).problem : null) },
  });
  const { edits, idempotency } = form.values;
  const fromNode = form.values.fromNode || null;
  const plan = useQuery(runQueries.retryPlan(useApi(), run.id, fromNode, idempotency));
  const isSending = plan.data?.nodes.some(({ effect, replay }) => effect === "write" && replay.again) ?? false;
  const nodes = run.nodes.filter(({ status }) => status !== "skipped" && status !== "pending");
  const start = () => {
    if (form.validate().hasErrors || (plan.data && plan.data.problem !== null)) return;
    changes.retry.mutate({ fromNode, overrideData: edits ? readObject(form.values.input).data : null, idempotency });
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
        {...form.getInputProps("fromNode")}
      />
      <RetryPlan plan={plan} />
      {isSending && (
        <Radio.Group
          label="Idempotency keys"
          description="The key lets a receiver detect a repeated request."
          {...form.getInputProps("idempotency")}
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
        {...form.getInputProps("edits", { type: "checkbox" })}
      />
      {edits && (
        <Textarea
          label="Input"
          description="A JSON object. The flow reads it as $trigger.body."
          {...form.getInputProps("input")}
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
