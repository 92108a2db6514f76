import { useMemo } from "react";
import { traitsIn } from "#components/canvas/flow-graph.ts";
import { levelAt, loopsOn, pathTo } from "#components/editor/levels/level.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { openDraft } from "#lib/engine/changes/flow-draft.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import type { ReadFlow } from "./read-flow.ts";
import styles from "./read-level.module.css";

interface ReadLevel {
  /** The loops around it, from the outermost on; none for the flow itself. */
  readonly loops: readonly FlowNode[];
  readonly nodes: readonly FlowNode[];
  readonly drawn: Pick<ReadFlow, "trigger" | "nodes" | "edges">;
}

/** The level of a flow that the URL names: a loop's body, or the flow itself if there is no such loop. */
export function useReadLevel(flow: ReadFlow, types: readonly NodeType[], loopId: string | null): ReadLevel {
  return useMemo(() => {
    const around = loopId === null ? null : pathTo(flow.nodes, loopId, types);
    const draft = around === null ? null : openDraft(flow, traitsIn(types));
    const path = loopId === null || around === null ? [] : [...around, loopId];
    const loops = draft === null ? [] : loopsOn(draft, path, types);
    const level = draft === null ? null : levelAt(draft, path, types);
    const isBody = level !== null && level !== draft;
    if (!isBody) return { loops: [], nodes: flow.nodes, drawn: flow };
    const { nodes, edges } = level;
    return { loops, nodes, drawn: { trigger: flow.trigger, nodes: [...nodes], edges: [...edges] } };
  }, [flow, types, loopId]);
}

interface ReadPathProps {
  readonly name: string;
  readonly loops: readonly FlowNode[];
  /** Opens the body of a loop; null: the flow. */
  readonly onOpen: (loopId: string | null) => void;
}

/** Breadcrumbs of the loops around the shown body; each leads to its level. */
export function ReadPath({ name, loops, onOpen }: ReadPathProps) {
  const steps = [{ id: null, name }, ...loops];
  return (
    <nav aria-label="Level">
      <ol className={styles.path}>
        {steps.map((step, index) => (
          <li key={step.id ?? ""}>
            <button
              type="button"
              className={styles.step}
              aria-current={index === steps.length - 1 ? "location" : undefined}
              onClick={() => onOpen(step.id)}
            >
              {step.name}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
