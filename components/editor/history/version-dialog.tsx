import { Button, Group, Modal, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import FlowCanvas from "#components/canvas/flow-canvas.tsx";
import { traitsIn } from "#components/canvas/flow-graph.ts";
import { useReturnedFocus } from "#components/dialog/dialog.tsx";
import { type ReadVersion, readFlowVersion } from "#components/flows/read-flow.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { type DiffedFlow, diffDrafts } from "#lib/engine/changes/diff-drafts.ts";
import { identifyEdges } from "#lib/engine/changes/flow-draft.ts";
import { type FlowTrigger, flowTrigger } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { ChangeList } from "./change-list.tsx";
import styles from "./history-panel.module.css";

interface VersionDialogProps {
  readonly version: number;
  /** The versions to compare it with. */
  readonly others: readonly number[];
  readonly onClose: () => void;
  readonly title?: string;
  /** The actions on it. */
  readonly action: ReactNode;
  /** Changes besides nodes, wires and variables, if any. */
  readonly besides?: readonly string[];
  /** Notes on the changes. */
  readonly children?: ReactNode;
}

/** An earlier version beside the current flow or another version: as a picture and field by field. */
export function VersionDialog({ version, others, onClose, title, besides = [], action, children }: VersionDialogProps) {
  useReturnedFocus();
  const { api, editor } = useSession();
  const draft = useEditorState((state) => state.draft);
  const [to, setTo] = useState<number | null>(null);
  const read = useQuery(readFlowVersion(api, editor.flowId, version));
  const readOther = useQuery({ ...readFlowVersion(api, editor.flowId, to ?? version), enabled: to !== null });
  const [{ data }, { data: other }] = [read, readOther];
  const failed = [read, readOther].find(({ isError, data: found }) => isError && found === undefined);
  const before = useMemo(() => (data === undefined ? null : diffedFlow(data, editor.types)), [data, editor.types]);
  const after = useMemo(() => {
    if (to === null) return draft;
    return other === undefined ? null : diffedFlow(other, editor.types);
  }, [to, other, draft, editor.types]);
  const changes = useMemo(() => (before === null || after === null ? [] : diffDrafts(before, after)), [before, after]);
  const both = useMemo(() => (before === null || after === null ? null : joined(before, after)), [before, after]);
  const until = to === null ? "now" : `version ${to}`;
  const marks = useMemo(
    () => new Map(changes.flatMap((change) => (change.nodeId === null ? [] : [[change.nodeId, change.kind] as const]))),
    [changes],
  );
  return (
    <Modal opened onClose={onClose} title={title ?? `From version ${version} to ${until}`} size={1160}>
      <div className={styles.compared}>
        <div className={styles.picture}>
          {failed && (
            <FailureNotice
              title="The version could not be loaded"
              error={failed.error}
              onRetry={() => void failed.refetch()}
            />
          )}
          {/* Rendered once it is complete, because the view is fitted to the first picture. */}
          {both !== null && (
            <FlowCanvas
              key={until}
              flow={both}
              types={editor.types}
              selectedId={null}
              onSelect={() => {}}
              marks={marks}
            />
          )}
        </div>
        <div className={styles.changes}>
          {others.length > 0 && (
            <NativeSelect
              label="Compare with"
              value={to ?? ""}
              onChange={({ currentTarget: { value } }) => setTo(value === "" ? null : Number(value))}
              data={[
                { value: "", label: "What you see" },
                ...others.map((version) => ({ value: String(version), label: `Version ${version}` })),
              ]}
              mb="xs"
            />
          )}
          {both !== null && changes.length === 0 && besides.length === 0 && (
            <p>No differences, apart from node positions.</p>
          )}
          {besides.map((words) => (
            <p key={words}>{words}</p>
          ))}
          <ChangeList changes={changes} nodes={both?.nodes ?? []} types={editor.types} />
          {children}
        </div>
      </div>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {action}
      </Group>
    </Modal>
  );
}

/** Both versions in one: the current flow, and removed nodes with their edges. */
function joined(before: DiffedFlow, after: DiffedFlow) {
  const now = new Set(after.nodes.map((node) => node.id));
  const removed = before.nodes.filter((node) => !now.has(node.id));
  const lost = new Set(removed.map((node) => node.id));
  const edges = before.edges.filter((edge) => lost.has(edge.source) || lost.has(edge.target));
  const all = new Set(["trigger", ...now, ...lost]);
  const drawnEdges = edges.filter((edge) => all.has(edge.source) && all.has(edge.target));
  return {
    trigger: after.trigger,
    nodes: [...after.nodes, ...removed],
    edges: [...after.edges, ...drawnEdges.map(({ id: _, ...edge }) => edge)],
  };
}

/** A version as the editor compares it. */
export function diffedFlow(version: ReadVersion, types: readonly NodeType[]): DiffedFlow {
  const trigger: FlowTrigger = flowTrigger.parse(version.trigger);
  const { url: _, ...config } = trigger.config;
  return {
    trigger: { ...trigger, config },
    nodes: version.nodes,
    edges: identifyEdges(version.nodes, version.edges, traitsIn(types)),
    variables: isJsonObject(version.variables) ? version.variables : {},
  };
}
