"use client";
import { Button } from "@mantine/core";
import { useDisclosure, useDocumentTitle } from "@mantine/hooks";
import { IconPlayerPlay, IconTerminal2 } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { useApi } from "#components/api/use-api.ts";
import { CanvasFrame } from "#components/canvas/canvas-frame.tsx";
import { summarizeTrigger } from "#components/canvas/card-summary.ts";
import { LazyFlowCanvas } from "#components/canvas/lazy-flow-canvas.tsx";
import { InputDialog } from "#components/executions/input-dialog.tsx";
import { runQueries } from "#components/executions/run-queries.ts";
import { RunTable, runColumns } from "#components/executions/run-table.tsx";
import { useEarlierInputs } from "#components/executions/use-earlier-inputs.ts";
import { DataTableSkeleton } from "#components/list/data-table.tsx";
import { CodeBlock, CopyButton, ShortId } from "#components/page/copy-button.tsx";
import { explainFailure, FailureNotice } from "#components/page/failure-notice.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { FlowStatusBadge } from "#components/status/status-marks.tsx";
import { formatDuration } from "#components/time/duration.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import styles from "./flow-reading.module.css";
import { FlowTags } from "./flow-tags.tsx";
import { NodePanel } from "./node-panel.tsx";
import type { ReadFlow } from "./read-flow.ts";
import triggerLineStyles from "./trigger-line.module.css";

interface FlowReadingProps {
  readonly flow: ReadFlow;
  readonly types: readonly NodeType[];
  /** Why the reader may not edit it; null if only the screen is too small. */
  readonly whyNotEdited: string | null;
}

/** A read-only flow, for people who may not edit it and for small screens: trigger, picture, latest runs. */
export function FlowReading({ flow, types, whyNotEdited }: FlowReadingProps) {
  const { read, change } = useUrlState();
  const asked = read("node") ?? null;
  const isThere = asked === triggerSource || flow.nodes.some((node) => node.id === asked);
  const selectedId = isThere ? asked : null;
  const select = useCallback((node: string | null) => change({ node }, true), [change]);
  useDocumentTitle(`${flow.name} · Millrace`);
  const panel = selectedId !== null && (
    <NodePanel key={selectedId} flow={flow} id={selectedId} types={types} onClose={() => select(null)} />
  );
  return (
    <div className={styles.view}>
      <FlowHeader flow={flow} />
      <p className={styles.muted}>{whyNotEdited ?? whyOnlyRead(flow)}</p>
      <TriggerLine flow={flow} />
      <CanvasFrame panel={panel}>
        <LazyFlowCanvas flow={flow} types={types} selectedId={selectedId} onSelect={select} />
      </CanvasFrame>
      <RecentRuns flowId={flow.id} />
    </div>
  );
}

function whyOnlyRead({ draft, version }: ReadFlow): string {
  if (draft === null) return "Open on a larger screen to edit.";
  return `This is version ${version}, as published. Open on a larger screen to see the unpublished changes.`;
}

/** A flow's latest runs. */
function RecentRuns({ flowId }: { readonly flowId: string }) {
  const runs = useQuery(runQueries.list(useApi(), { flow: flowId, limit: 10 }));
  return (
    <section className={styles.section} aria-labelledby="recent-runs">
      <h2 id="recent-runs" className={styles.heading}>
        Recent runs
        {runs.data && runs.data.pagination.total > 0 && <Link href={`/runs?flow=${flowId}`}>Show all</Link>}
      </h2>
      {runs.isPending && <DataTableSkeleton columns={runColumns(false)} rows={3} />}
      {runs.isError && runs.data === undefined && (
        <FailureNotice what="The runs could not be loaded" error={runs.error} onRetry={() => void runs.refetch()} />
      )}
      {runs.data?.items.length === 0 && (
        <p className={styles.muted}>This flow has not run yet. Press Run, or call its trigger.</p>
      )}
      {runs.data && runs.data.items.length > 0 && <RunTable runs={runs.data.items} withFlow={false} />}
    </section>
  );
}

/** How the flow is started from outside: its URL, ready to copy, and a command that calls it. */
function TriggerLine({ flow }: { readonly flow: ReadFlow }) {
  const [opened, { toggle }] = useDisclosure(false);
  const config = isJsonObject(flow.trigger.config) ? flow.trigger.config : {};
  const url = typeof config.url === "string" ? config.url : null;
  const method = typeof config.method === "string" ? config.method : "POST";
  if (url === null) return <p className={triggerLineStyles.line}>{summarizeTrigger(flow.trigger)}</p>;
  return (
    <div className={triggerLineStyles.trigger}>
      <div className={triggerLineStyles.line}>
        <span className={triggerLineStyles.method}>{method}</span>
        <span className={triggerLineStyles.url}>{url}</span>
        <CopyButton text={url} label="Copy trigger URL" />
        <Button
          variant="subtle"
          leftSection={<IconTerminal2 size={16} aria-hidden="true" />}
          onClick={toggle}
          aria-expanded={opened}
        >
          curl
        </Button>
      </div>
      {opened && <CodeBlock text={curlOf(method, url)} label="Copy command" />}
    </div>
  );
}

function curlOf(method: string, url: string): string {
  if (method === "GET" || method === "DELETE") return `curl -X ${method} '${url}'`;
  return `curl -X ${method} '${url}' \\\n  -H 'Content-Type: application/json' \\\n  -d '{}'`;
}

function FlowHeader({ flow }: { readonly flow: ReadFlow }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader
        parent={{ label: "Flows", path: "/flows" }}
        title={flow.name}
        mark={<FlowStatusBadge status={flow.status} />}
        facts={
          <>
            <span>Version {flow.version}</span>
            <span>
              Changed <RelativeTime at={flow.updatedAt} />
            </span>
            {flow.averageExecutionTime !== null && <span>Average {formatDuration(flow.averageExecutionTime)}</span>}
            <ShortId id={flow.id} what="flow" />
            {flow.tags.length > 0 && <FlowTags tags={flow.tags} />}
          </>
        }
        actions={
          <GuardedButton
            scope="flows:execute"
            leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
            onClick={open}
          >
            Run
          </GuardedButton>
        }
      />
      {opened && <RunDialog flowId={flow.id} flowName={flow.name} onClose={close} />}
    </>
  );
}

interface RunDialogProps {
  readonly flowId: string;
  readonly flowName: string;
  readonly onClose: () => void;
}

/** Runs a flow and goes to the run. */
function RunDialog({ flowId, flowName, onClose }: RunDialogProps) {
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
