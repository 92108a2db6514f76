import { Pagination, Skeleton } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useStore } from "zustand";
import { useApi } from "#components/api/use-api.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { JsonTree } from "#components/json/json-tree.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { RunStatus } from "#components/status/run-status.tsx";
import { formatDuration } from "#components/time/duration.ts";
import { isJsonObject, type Json } from "#lib/engine/json.ts";
import styles from "./agent-steps.module.css";
import { NodeErrorView, readNodeError } from "./node-error.tsx";
import { iterationsOnPage, runQueries } from "./run-queries.ts";
import { streamedTexts, streamKey } from "./streamed-texts.ts";

interface AgentStepsProps {
  readonly runId: string;
  readonly nodeId: string;
  /** Set for an agent in a loop's body. */
  readonly within?: string | undefined;
  /** More of them may come. */
  readonly live: boolean;
}

/** An agent's conversation: the model's replies, each tool's input and output, and the tokens per request. */
export function AgentSteps({ runId, nodeId, within, live }: AgentStepsProps) {
  const api = useApi();
  const [page, setPage] = useState(1);
  const list = useQuery(runQueries.iterations(api, { runId, nodeId, within, page, failedOnly: false }, live));
  const items = list.data?.items ?? [];
  const types = useQuery(flowQueries.nodeTypes(api)).data;
  const schemaOf = (type: string | undefined) => types?.find((candidate) => candidate.type === type)?.configSchema;
  const read = useQueries({
    queries: items.map(({ iteration, status }) =>
      runQueries.iteration(api, { runId, nodeId, iteration }, live && status === "running"),
    ),
  });
  if (list.data === undefined) {
    if (!list.isError) return <Skeleton height={120} />;
    return (
      <FailureNotice title="The steps could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
    );
  }
  const pages = Math.ceil(list.data.pagination.total / iterationsOnPage);
  return (
    <div className={styles.steps}>
      {items.length === 0 && <p className={styles.note}>No steps yet.</p>}
      <ol className={styles.steps} aria-label="Steps">
        {items.map(({ iteration, status, duration, ...item }, index) => {
          const [node] = read[index]?.data?.nodes ?? [];
          const error = readNodeError(node?.error, schemaOf(node?.type));
          return (
            <li key={iteration} className={styles.step}>
              <div className={styles.head}>
                {titleOf(node?.output)}
                {status !== "completed" && <RunStatus {...item} status={status} />}
                <span className={styles.facts}>
                  {[tokensOf(node?.output), duration === null ? null : formatDuration(duration)]
                    .filter((fact) => fact !== null)
                    .join(" · ")}
                </span>
              </div>
              {error !== null && <NodeErrorView error={error} nodeName={node?.nodeName ?? nodeId} />}
              {isJsonObject(node?.output) && <StepData step={node.output} />}
              {status === "running" && (
                <StreamedText runId={runId} nodeId={nodeId} iteration={iteration} missing="In progress." />
              )}
            </li>
          );
        })}
      </ol>
      {pages > 1 && <Pagination size="xs" total={pages} value={page} onChange={setPage} />}
    </div>
  );
}

function titleOf(step: unknown): string {
  if (!isJsonObject(step)) return "Step";
  const name = isJsonObject(step.call) ? String(step.call.name) : "";
  if (step.kind === "tool") return name;
  if (step.kind === "approval") return step.isApproved === true ? `${name}: approved` : `${name}: refused`;
  return "Model";
}

function tokensOf(step: unknown): string | null {
  if (!isJsonObject(step) || !isJsonObject(step.usage)) return null;
  const { totalTokens, cost } = step.usage;
  const tokens = `${Number(totalTokens ?? 0).toLocaleString("en-US")} tokens`;
  return typeof cost === "number" ? `${tokens} · cost ${cost}` : tokens;
}

function StepData({ step }: { readonly step: { readonly [key: string]: Json } }) {
  const { kind, text, calls, call, output, note, repair, object } = step;
  const isTool = kind === "tool" && isJsonObject(call);
  return (
    <>
      {typeof text === "string" && text !== "" && <p className={styles.text}>{text}</p>}
      {(Array.isArray(calls) ? calls : []).map((call) =>
        isJsonObject(call) ? (
          <Value key={String(call.id)} title={`Uses ${String(call.name)}`} value={call.input} />
        ) : null,
      )}
      {isTool && <Value title="Input" value={call.input} />}
      {isTool && <Value title="Output" value={output} />}
      {object != null && <Value title="Answer" value={object} />}
      {typeof note === "string" && <p className={styles.text}>{note}</p>}
      {typeof repair === "string" && <p className={styles.note}>{repair}</p>}
    </>
  );
}

function Value({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <div>
      <p className={styles.note}>{title}</p>
      <JsonTree value={value ?? null} path="" label={title} />
    </div>
  );
}

interface StreamedTextProps {
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: string | null;
  /** Shown while there is no text. */
  readonly missing: string;
}

/** The streamed text of a node or step in progress. */
export function StreamedText({ runId, nodeId, iteration, missing }: StreamedTextProps) {
  const text = useStore(streamedTexts, (state) =>
    state.runId === runId ? state.texts.get(streamKey(nodeId, iteration)) : undefined,
  );
  return text === undefined ? (
    <p className={styles.note}>{missing}</p>
  ) : (
    <p className={styles.text} role="note" aria-label="The answer so far">
      {text}
    </p>
  );
}
