import { useStore } from "zustand";
import { nameOf } from "#components/editor/commands/connect.ts";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { handleOf } from "#lib/engine/graph.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import styles from "./run-drawer.module.css";
import { useNodeData } from "./use-node-data.ts";

/** Why a node did not run: the nodes that took another branch, with what they decided on. */
export function WhySkipped({ id }: { readonly id: string }) {
  const { editor, view, runs } = useSession();
  const nodes = useStore(runs.store, (state) => state.nodes);
  const draft = useEditorState((state) => state.draft);
  const decisions = whySkipped(draft, nodes, id);
  if (decisions.length === 0)
    return <p className={styles.hint}>No condition led elsewhere: the run ended or was stopped before this node.</p>;
  return (
    <ul className={styles.why}>
      {decisions.map(({ nodeId, what, condition }) => (
        <li key={nodeId}>
          It did not run because of{" "}
          <button
            type="button"
            onClick={() => {
              editor.select([nodeId]);
              view.port?.focus(nodeId);
            }}
          >
            {nameOf(draft.nodes, nodeId)}
          </button>
          : {what}.{condition !== null && <Condition nodeId={nodeId} condition={condition} />}
        </li>
      ))}
    </ul>
  );
}

/** The condition, and its value. */
function Condition({ nodeId, condition }: { readonly nodeId: string; readonly condition: string }) {
  const input = useNodeData(nodeId).data?.input;
  const value = isJsonObject(input) ? (input.condition ?? input.value) : undefined;
  return (
    <code>
      {condition}
      {value !== undefined && ` = ${JSON.stringify(value).slice(0, 200)}`}
    </code>
  );
}

/** Why a node did not run: the node that took another branch, and the reason. */
interface Decision {
  readonly nodeId: string;
  /** For display: "it left by false", "it failed". */
  readonly what: string;
  /** The condition as written; null if it says nothing. */
  readonly condition: string | null;
}

/** Walks back from a skipped node to the decisions that skipped it, one for each path that could have led there. */
export function whySkipped(
  draft: Pick<FlowDraft, "nodes" | "edges">,
  nodes: ReadonlyMap<string, ShownNodeExecution>,
  id: string,
): Decision[] {
  const incoming = Map.groupBy(draft.edges, (edge) => edge.target);
  const found = new Map<string, Decision>();
  const seen = new Set<string>();
  let reached = [id];
  while (reached.length > 0) {
    const next: string[] = [];
    for (const at of reached) {
      for (const edge of incoming.get(at) ?? []) {
        if (edge.source === triggerSource || seen.has(edge.source)) continue;
        const run = nodes.get(edge.source);
        if (run === undefined || run.status === "skipped") {
          seen.add(edge.source);
          next.push(edge.source);
        } else if (!found.has(edge.source)) {
          const decision = decisionOf(draft, run, handleOf(edge));
          if (decision !== null) found.set(edge.source, decision);
        }
      }
    }
    reached = next;
  }
  return [...found.values()];
}

function decisionOf(
  { nodes }: Pick<FlowDraft, "nodes">,
  run: ShownNodeExecution,
  wanted: string | null,
): Decision | null {
  const node = nodes.find((candidate) => candidate.id === run.nodeId);
  if (run.status === "failed") return { nodeId: run.nodeId, what: "it failed", condition: null };
  if (run.status !== "completed") return { nodeId: run.nodeId, what: `it was ${run.status}`, condition: null };
  const left = run.handle ?? null;
  if (left === wanted || wanted === null) return null;
  const written = node?.config.condition ?? node?.config.value;
  return {
    nodeId: run.nodeId,
    what: wanted === "error" ? "it did not fail" : `it left by ${left ?? "its default output"}, not by ${wanted}`,
    condition: typeof written === "string" && wanted !== "error" ? written : null,
  };
}
