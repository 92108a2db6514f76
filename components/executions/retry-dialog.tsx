"use client";

import { Checkbox, NativeSelect, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import type { ShownExecution } from "#lib/contract/executions.ts";
import { readObject } from "./read-object.ts";
import { RetryPlan } from "./retry-plan.tsx";
import type { useRunChanges } from "./run-changes.ts";
import { runQueries } from "./run-queries.ts";

interface RetryDialogProps {
  readonly run: ShownExecution;
  /** Where to begin, to start with; null for the beginning. */
  readonly fromNode: string | null;
  readonly changes: ReturnType<typeof useRunChanges>;
  readonly onClose: () => void;
}

/** Asks where to begin and with which input, and shows what will be reused and what will run. */
export function RetryDialog({ run, fromNode: given, changes, onClose }: RetryDialogProps) {
  const [fromNode, setFromNode] = useState(given);
  const [edits, setEdits] = useState(false);
  const [text, setText] = useState(() => JSON.stringify(run.trigger.data ?? {}, null, 2));
  const [problem, setProblem] = useState<string | null>(null);
  const plan = useQuery(runQueries.retryPlan(useApi(), run.id, fromNode));
  const nodes = run.nodes.filter(({ status }) => status !== "skipped" && status !== "pending");
  const start = () => {
    const read = edits ? readObject(text) : { data: null, problem: null };
    setProblem(read.problem);
    if (read.problem !== null || (plan.data && plan.data.problem !== null)) return;
    changes.retry.mutate({ fromNode, overrideData: read.data });
    onClose();
  };
  return (
    <FormDialog
      title={`Run ${run.flowName} again`}
      submit="Run again"
      size={560}
      change={{ isPending: changes.retry.isPending, mutate: start }}
      problem={plan.data?.problem ? `It cannot begin there: ${plan.data.problem}.` : null}
      onClose={onClose}
    >
      <NativeSelect
        data-autofocus
        label="Begin"
        data={[
          { value: "", label: "At the beginning" },
          ...nodes.map(({ nodeId, nodeName }) => ({ value: nodeId, label: `At ${nodeName}` })),
        ]}
        value={fromNode ?? ""}
        onChange={(event) => setFromNode(event.currentTarget.value || null)}
      />
      <RetryPlan plan={plan} />
      <Checkbox
        size="xs"
        label="Change the input"
        description="Otherwise the new run begins with what this one began with."
        checked={edits}
        onChange={(event) => setEdits(event.currentTarget.checked)}
      />
      {edits && (
        <Textarea
          label="Input"
          description="A JSON object; the flow sees it as $trigger.body."
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
