import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import type { Place } from "./column-layout.ts";

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
