import { createContext } from "react";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { errorHandle } from "#lib/engine/outcome.ts";
import type { Wire } from "./flow-graph.ts";

export type CardMark = "added" | "removed" | "changed";

/** State that changes without moving cards: kept out of React Flow's node list, which is measured once. */
interface CanvasState {
  readonly selectedId: string | null;
  readonly onSelect: (id: string | null) => void;
  /** Null if no run is shown. */
  readonly runs: NodeRuns | null;
  /** Nodes that may or may not have run. */
  readonly unknown: ReadonlySet<string>;
  readonly live: boolean;
  /** A static picture: its cards are not buttons. */
  readonly bare: boolean;
  /** How nodes differ between two compared versions. */
  readonly marks: ReadonlyMap<string, CardMark>;
}

export const CanvasStateContext = createContext<CanvasState>({
  selectedId: null,
  onSelect: () => {},
  runs: null,
  unknown: new Set(),
  live: false,
  bare: false,
  marks: new Map(),
});

/** A wire's part in a run: data went along it, is moving along it, may still, or never will. */
type WireState = "taken" | "moving" | "waiting" | "dead";

export type NodeRuns = ReadonlyMap<string, ShownNodeExecution>;

export function wireState(wire: Wire, runs: NodeRuns, live: boolean): WireState {
  const target = runs.get(wire.target);
  if (!leftBy(wire, runs)) return live && !settled(wire.source, runs) ? "waiting" : "dead";
  if (target === undefined || target.status === "pending") return live ? "waiting" : "dead";
  if (target.status === "skipped") return "dead";
  return target.status === "running" ? "moving" : "taken";
}

function settled(source: string, runs: NodeRuns): boolean {
  const status = runs.get(source)?.status;
  return source === triggerSource || (status !== undefined && status !== "pending" && status !== "running");
}

/**
 * The engine's rule: a failure leaves by `error`; otherwise a plain edge is always taken, a branch if it was chosen.
 */
function leftBy({ source, handle }: Wire, runs: NodeRuns): boolean {
  if (source === triggerSource) return true;
  const run = runs.get(source);
  if (run?.status === "failed") return handle === errorHandle;
  return run?.status === "completed" && (handle === null || run.handle === handle);
}
