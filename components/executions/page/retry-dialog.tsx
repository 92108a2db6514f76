"use client";
import { Checkbox, NativeSelect, Skeleton, Textarea } from "@mantine/core";
import { IconCircleDashed, IconPlayerPlay, IconRecycle } from "@tabler/icons-react";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { z } from "zod";
import { useApi } from "#components/api/use-api.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import type { useRunChanges } from "#components/executions/run-changes.ts";
import { readObject, runQueries } from "#components/executions/run-queries.ts";
import { explainFailure } from "#components/page/failure-notice.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import type { retryPlan } from "#lib/contract/executions/retries.ts";
import styles from "./retry-plan.module.css";

const plans = {
  reused: { label: "output reused", icon: IconRecycle },
  runs: { label: "runs", icon: IconPlayerPlay },
  skipped: { label: "not run", icon: IconCircleDashed },
} as const;

/** What happens to each node: its output is reused, or it runs again. */
export function RetryPlan({ plan }: { readonly plan: UseQueryResult<z.output<typeof retryPlan>> }) {
  if (plan.isError)
    return <p className={styles.note}>The plan could not be loaded. {explainFailure(plan.error).why}</p>;
  if (plan.data === undefined) return <Skeleton height={96} />;
  const { nodes, flowVersion, originalVersion } = plan.data;
  return (
    <div>
      {flowVersion !== originalVersion && (
        <p className={styles.note}>
          The flow has changed since: the new run uses version {flowVersion}; this one used version {originalVersion}.
        </p>
      )}
      <ul className={styles.plan} aria-label="Plan">
        {nodes.map(({ nodeId, nodeName, plan: what }) => {
          const { label, icon: Icon } = plans[what];
          return (
            <li key={nodeId} className={styles.node} data-plan={what}>
              <Icon size={16} aria-hidden="true" />
              <span className={styles.name}>{nodeName}</span>
              <span className={styles.what}>{label}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

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
