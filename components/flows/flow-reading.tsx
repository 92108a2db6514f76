"use client";
import { Button } from "@mantine/core";
import { useDisclosure, useDocumentTitle } from "@mantine/hooks";
import { IconPlayerPlay, IconTerminal2 } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useCallback, useEffect } from "react";
import { useApi } from "#components/api/use-api.ts";
import { summarizeTrigger } from "#components/canvas/card-summary.ts";
import { CanvasFrame, LazyFlowCanvas } from "#components/canvas/lazy-flow-canvas.tsx";
import { allPlaced, pathTo } from "#components/editor/levels/level.ts";
import { LazyInputDialog, useEarlierInputs } from "#components/executions/lazy-input-dialog.tsx";
import { runQueries } from "#components/executions/run-queries.ts";
import { RunTable, runColumns } from "#components/executions/run-table.tsx";
import { DataTableSkeleton } from "#components/list/data-table.tsx";
import { CodeBlock, CopyButton, ShortId } from "#components/page/copy-button.tsx";
import { FailureNotice, sayFailure } from "#components/page/failure-notice.tsx";
import { Link } from "#components/page/link.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { PresenceBar, PresenceLayer, usePresence } from "#components/presence/presence.tsx";
import { FlowStatusBadge } from "#components/status/flow-status.tsx";
import { formatDuration } from "#components/time/duration.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import styles from "./flow-reading.module.css";
import { FlowTags } from "./flow-tags.tsx";
import { NodePanel } from "./node-panel.tsx";
import { type ReadFlow, readCopy, readFlow } from "./read-flow.ts";
import { ReadPath, useReadLevel } from "./read-level.tsx";
import { StarButton } from "./star-button.tsx";
import { FlowRuns } from "./tabs/flow-runs.tsx";
import { FlowTabBar, useFlowTab } from "./tabs/flow-tab-bar.tsx";
import { TestList, VersionList } from "./tabs/read-only-lists.tsx";
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
  const tab = useFlowTab();
  const level = useReadLevel(flow, types, read("in") ?? null);
  const nodeId = read("node") ?? null;
  const isStart = nodeId === triggerSource && level.loops.length === 0;
  const isThere = isStart || level.nodes.some((node) => node.id === nodeId);
  const selectedId = isThere ? nodeId : null;
  const select = useCallback((node: string | null) => change({ node }, true), [change]);
  const isCopied = useIsCopied(flow, whyNotEdited === null);
  useDocumentTitle(`${flow.name} · Millrace`);
  const enter = useCallback((loop: string | null) => change({ in: loop, node: null }, true), [change]);
  useReadPresence(flow, { types, within: level.loops.at(-1)?.id ?? null, selectedId, enter });
  const panel = selectedId !== null && (
    <NodePanel
      key={selectedId}
      flow={flow}
      nodes={level.nodes}
      id={selectedId}
      types={types}
      onClose={() => select(null)}
      onOpenBody={(loop) => change({ in: loop, node: null })}
    />
  );
  return (
    <div className={styles.view}>
      <FlowHeader flow={flow} types={types} />
      <p className={styles.muted}>{whyNotEdited ?? whyOnlyRead(flow, isCopied)}</p>
      <FlowTabBar flowId={flow.id} openNode={selectedId} editorLabel="Flow" />
      {tab === "editor" && (
        <>
          <TriggerLine flow={flow} />
          {level.loops.length > 0 && (
            <ReadPath name={flow.name} loops={level.loops} onOpen={(loop) => change({ in: loop, node: null })} />
          )}
          <CanvasFrame panel={panel}>
            <LazyFlowCanvas
              key={level.loops.at(-1)?.id ?? ""}
              flow={level.drawn}
              types={types}
              start={level.loops.at(-1) ?? null}
              selectedId={selectedId}
              onSelect={select}
            >
              <PresenceLayer />
            </LazyFlowCanvas>
          </CanvasFrame>
          <RecentRuns flowId={flow.id} />
        </>
      )}
      {tab === "runs" && <FlowRuns flowId={flow.id} />}
      {tab === "versions" && <VersionList flowId={flow.id} isLive={flow.status === "active"} />}
      {tab === "tests" && <TestList flowId={flow.id} />}
    </div>
  );
}

interface ReadPlace {
  readonly types: readonly NodeType[];
  /** The loop whose body is shown. */
  readonly within: string | null;
  readonly selectedId: string | null;
  /** Shows another level. */
  readonly enter: (loop: string | null) => void;
}

/** Announces where the reader is, follows others, and reloads the flow when someone saves it. */
function useReadPresence(flow: ReadFlow, { types, within, selectedId, enter }: ReadPlace): void {
  const { id, version, updatedAt, nodes } = flow;
  const api = useApi();
  const queries = useQueryClient();
  const link = usePresence();
  useEffect(() => {
    link?.select(selectedId === null ? [] : [selectedId], within);
  }, [link, selectedId, within]);
  useEffect(() => {
    const goAlong = () => {
      const level = link?.lead();
      if (level === null || (level !== undefined && pathTo(nodes, level, types) !== null)) enter(level);
    };
    goAlong();
    return link?.store.subscribe(goAlong);
  }, [link, nodes, types, enter]);
  useEffect(() => {
    return link?.store.subscribe(({ saved }, before) => {
      if (saved === null || saved === before.saved) return;
      const isSame = saved.version === version && saved.updatedAt === updatedAt;
      if (!isSame) void queries.invalidateQueries({ queryKey: readFlow(api, id).queryKey });
    });
  }, [link, id, version, updatedAt, api, queries]);
}

/** A working copy whose changes were all undone changes nothing. */
function useIsCopied({ id, draft }: ReadFlow, isAsked: boolean): boolean {
  const copy = useQuery({ ...readCopy(useApi(), id), enabled: isAsked && draft != null });
  return (copy.data?.changes.length ?? 0) > 0;
}

function whyOnlyRead({ version }: ReadFlow, isCopied: boolean): string {
  if (!isCopied) return "Open on a larger screen to edit.";
  return `This is version ${version}, as published. Open on a larger screen to see the unpublished changes.`;
}

/** A flow's latest runs. */
function RecentRuns({ flowId }: { readonly flowId: string }) {
  const runs = useQuery(runQueries.list(useApi(), { flow: flowId, limit: 10 }));
  return (
    <section className={styles.section} aria-labelledby="recent-runs">
      <h2 id="recent-runs" className={styles.heading}>
        Recent runs
        {runs.data && runs.data.pagination.total > 0 && <Link href={`/flows/${flowId}/runs`}>Show all</Link>}
      </h2>
      {runs.isPending && <DataTableSkeleton columns={runColumns(false)} rows={3} />}
      {runs.isError && runs.data === undefined && (
        <FailureNotice title="The runs could not be loaded" error={runs.error} onRetry={() => void runs.refetch()} />
      )}
      {runs.data?.items.length === 0 && (
        <p className={styles.muted}>This flow has not run yet. Press Run, or call its trigger.</p>
      )}
      {runs.data && runs.data.items.length > 0 && <RunTable runs={runs.data.items} withFlow={false} />}
    </section>
  );
}

/** How to start the flow from outside: its URL and a command that calls it. */
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

/** A node's name, at any level. */
function nameIn({ nodes }: ReadFlow, types: readonly NodeType[], id: string): string | null {
  if (id === triggerSource) return "the trigger";
  return allPlaced(nodes, types).find(({ node }) => node.id === id)?.node.name ?? null;
}

function FlowHeader({ flow, types }: Pick<FlowReadingProps, "flow" | "types">) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader
        parent={{ label: "Flows", path: "/flows" }}
        title={flow.name}
        mark={
          <>
            <FlowStatusBadge status={flow.status} />
            <StarButton id={flow.id} name={flow.name} isFavorite={flow.favorite === true} />
          </>
        }
        facts={
          <>
            <span>Version {flow.version}</span>
            <span>
              Changed <RelativeTime at={flow.updatedAt} />
            </span>
            {flow.averageExecutionTime !== null && <span>Average {formatDuration(flow.averageExecutionTime)}</span>}
            <ShortId id={flow.id} subject="flow" />
            {flow.tags.length > 0 && <FlowTags tags={flow.tags} />}
          </>
        }
        actions={
          <>
            <PresenceBar nameOf={(id) => nameIn(flow, types, id)} />
            <GuardedButton
              scope="flows:execute"
              leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
              onClick={open}
            >
              Run
            </GuardedButton>
          </>
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
    <LazyInputDialog
      title={`Run ${flowName}`}
      inputs={useEarlierInputs(flowId)}
      onRun={(data) => start.mutate(data)}
      onClose={onClose}
      busy={start.isPending || start.isSuccess}
      failure={start.error === null ? null : `The run could not be started. ${sayFailure(start.error)}`}
    />
  );
}
