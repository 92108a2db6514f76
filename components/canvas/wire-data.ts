import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { errorHandle } from "#lib/engine/outcome.ts";
import type { Place } from "./column-layout.ts";
import { cardSize, type Wire } from "./flow-graph.ts";

/** A wire's lanes between columns, and the data that it carried in the shown run. */
export interface WireData extends Record<string, unknown> {
  readonly lanes: readonly Place[];
  /** Lines of text: item count and size. */
  readonly carried?: readonly string[];
}

const count = new Intl.NumberFormat("en");
const units = ["B", "kB", "MB", "GB"];

/** A readable size: `842 B`, `3.4 kB`, `12 MB`. Units are powers of 1,000. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1];
  const text = unit > 0 && value < 9.95 ? value.toFixed(1) : count.format(Math.round(value));
  return `${text} ${units[unit]}`;
}

/** A line for an output's item count and one for its size; empty without an output. */
export function describeOutput({ status, items, outputBytes, output }: ShownNodeExecution): string[] {
  if (status !== "completed") return [];
  const length = items ?? (Array.isArray(output) ? output.length : undefined);
  return [
    ...(length === undefined ? [] : [`${count.format(length)} ${length === 1 ? "item" : "items"}`]),
    ...(outputBytes === undefined ? [] : [formatBytes(outputBytes)]),
  ];
}

const known = new WeakMap<ShownNodeExecution, WireData>();
const noLanes: WireData = { lanes: [] };

/** Returns the same object for the same node run, so that only changed wires are redrawn. */
export function carriedBy(run: ShownNodeExecution | undefined): WireData {
  if (run === undefined) return noLanes;
  const old = known.get(run);
  if (old !== undefined) return old;
  const carried = describeOutput(run);
  const data = carried.length === 0 ? noLanes : { lanes: [], carried };
  known.set(run, data);
  return data;
}

/** A wire's part in a run: data went along it, is moving along it, may still, or never will. */
type WireState = "taken" | "moving" | "waiting" | "dead";

/** How a run's nodes ended, by id. */
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

/** Where a wire starts and ends. */
export interface WireEnds {
  readonly sourceX: number;
  readonly sourceY: number;
  readonly targetX: number;
  readonly targetY: number;
}

/** The path of a wire along its lanes; without any, one curve. */
export function lanePath({ sourceX, sourceY, targetX, targetY }: WireEnds, lanes: readonly Place[]): string {
  let [x, y] = [sourceX, sourceY];
  let path = `M${x},${y}`;
  const curveTo = (toX: number, toY: number) => {
    const bend = (toX - x) / 2;
    path += ` C${x + bend},${y} ${toX - bend},${toY} ${toX},${toY}`;
    [x, y] = [toX, toY];
  };
  for (const lane of lanes) {
    curveTo(lane.x, lane.y);
    x += cardSize.width;
    path += ` H${x}`;
  }
  curveTo(targetX, targetY);
  return path;
}
