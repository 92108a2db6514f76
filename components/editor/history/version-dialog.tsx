import { Button, Group, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import FlowCanvas from "#components/canvas/flow-canvas.tsx";
import { type ReadVersion, readFlowVersion } from "#components/flows/read-flow-version.ts";
import { type FlowTrigger, flowTrigger } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { type DiffedFlow, type DraftChange, diffDrafts } from "../draft/diff-drafts.ts";
import { identifyEdges } from "../draft/open-draft.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import styles from "./history-panel.module.css";

interface VersionDialogProps {
  readonly version: number;
  readonly onClose: () => void;
  readonly onRestore: () => void;
}

/** An earlier version beside the flow as it is now: on the picture and field by field. */
export function VersionDialog({ version, onClose, onRestore }: VersionDialogProps) {
  const { api, editor } = useSession();
  const draft = useEditorState((state) => state.draft);
  const { data } = useQuery(readFlowVersion(api, editor.flowId, version));
  const changes = useMemo(() => (data === undefined ? [] : diffDrafts(diffedFlow(data), draft)), [data, draft]);
  const both = useMemo(() => {
    const now = new Set(draft.nodes.map((node) => node.id));
    const removed = (data?.nodes ?? []).filter((node) => !now.has(node.id));
    const lost = new Set(removed.map((node) => node.id));
    const edges = (data?.edges ?? []).filter((edge) => lost.has(edge.source) || lost.has(edge.target));
    const all = new Set(["trigger", ...now, ...lost]);
    const kept = edges.filter((edge) => all.has(edge.source) && all.has(edge.target));
    return {
      trigger: draft.trigger,
      nodes: [...draft.nodes, ...removed],
      edges: [...draft.edges, ...kept.map(({ id: _, ...edge }) => edge)],
    };
  }, [data, draft]);
  const marks = useMemo(
    () => new Map(changes.flatMap((change) => (change.nodeId === null ? [] : [[change.nodeId, change.kind] as const]))),
    [changes],
  );
  return (
    <Modal opened onClose={onClose} title={`From version ${version} to now`} size={1160}>
      <div className={styles.compared}>
        <div className={styles.picture}>
          {/* Drawn once it is whole: the view is fitted to what is there first. */}
          {data !== undefined && (
            <FlowCanvas flow={both} types={editor.types} selectedId={null} onSelect={() => {}} marks={marks} />
          )}
        </div>
        <div className={styles.changes}>
          {data !== undefined && changes.length === 0 && <p>Both are the same, but for where nodes stand.</p>}
          {changes.map((change) => (
            <Change key={`${change.kind} ${change.nodeId} ${change.what}`} change={change} />
          ))}
        </div>
      </div>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button onClick={onRestore} disabled={data === undefined}>
          Restore version {version}
        </Button>
      </Group>
    </Modal>
  );
}

function Change({ change }: { readonly change: DraftChange }) {
  return (
    <div className={styles.change}>
      <span>
        <span className={styles.kind} data-kind={change.kind}>
          {change.kind}
        </span>
        {change.what}
      </span>
      {change.fields.map((field) => (
        <div key={field.path} className={`${styles.field} mono`}>
          {field.path}: <span className={styles.before}>{short(field.before)}</span> →{" "}
          <span className={styles.after}>{short(field.after)}</span>
        </div>
      ))}
    </div>
  );
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "not set";
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

function diffedFlow(version: ReadVersion): DiffedFlow {
  const trigger: FlowTrigger = flowTrigger.parse(version.trigger);
  const { url: _, ...config } = trigger.config;
  return {
    trigger: { ...trigger, config },
    nodes: version.nodes,
    edges: identifyEdges(version.nodes, version.edges),
    variables: isJsonObject(version.variables) ? version.variables : {},
  };
}
