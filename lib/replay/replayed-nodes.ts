import type { Graph } from "#lib/engine/compile.ts";
import type { Outcome } from "#lib/engine/outcome.ts";
import { readStepId } from "#lib/engine/step.ts";
import { nodesOfGraph } from "./prepare.ts";
import type { Replaying } from "./replay-node.ts";
import { credentialsOfNode } from "./replay-size.ts";

/** A node's result in a replay; for a node in a loop's body, lists by iteration. */
export interface ReplayedNode {
  readonly status: Outcome["status"];
  /** Null if it has none. */
  readonly output: unknown;
  /** What it would have sent or done outside; undefined if nothing. */
  readonly request?: unknown;
  readonly error: ReplayedError | null;
  /** For a node in a loop's body, each iteration's failure or null; undefined if none failed. */
  readonly errors?: readonly (ReplayedError | null)[];
  /** A loop's items, or their number; undefined if it did not start. */
  readonly items?: unknown;
  /** The names of the credentials it uses; undefined if none. */
  readonly credentials?: readonly string[];
  /** True for a node in a loop's body. */
  readonly isRepeated: boolean;
  /** True if it depends on a missing recording. */
  readonly isOpen: boolean;
}

interface ReplayedError {
  readonly code: string;
  readonly message: string;
}

/** Every node of a flow by id, including those in bodies. `outcomes`: those of the flow's own nodes. */
export function nodesReplayed(
  graph: Graph,
  outcomes: ReadonlyMap<string, Outcome>,
  replaying: Replaying,
): Map<string, ReplayedNode> {
  const { ended, begun, requests, open, items } = replaying;
  const all = [...begun].filter((id) => isIteration(id) && (ended.has(id) || open.has(id)));
  const iterations = Map.groupBy(all, (id) => readStepId(id).nodeId);
  const openIterations = new Set([...open].filter(isIteration).map((id) => readStepId(id).nodeId));
  const nodes = new Map<string, ReplayedNode>();
  for (const { node: own, body } of graph.order) {
    // A node without an outcome waits for an open one.
    const isOwnOpen = !outcomes.has(own.id);
    for (const node of [own, ...(body === null ? [] : nodesOfGraph(body))]) {
      const { id } = node;
      const outcome = id === own.id ? outcomes.get(id) : undefined;
      // Iterations are sequential, so their steps are in the order of the items.
      const steps = iterations.get(id) ?? [];
      const names = credentialsOfNode(replaying.flow, node);
      const details = {
        ...(names.length === 0 ? {} : { credentials: names }),
        isOpen: isOwnOpen || openIterations.has(id),
      };
      const repeated = listOf("request", steps, (step) => requests.get(step));
      const single = {
        ...(requests.has(id) ? { request: requests.get(id) } : repeated),
        ...(items.of(id) === undefined ? {} : { items: items.of(id) }),
        ...details,
        isRepeated: false,
      };
      if (outcome !== undefined) nodes.set(id, { ...shown(outcome), ...single });
      else if (id === own.id) nodes.set(id, { ...shown({ status: "skipped" }), ...single });
      else if (!nodes.has(id)) {
        const inner = listOf("items", steps, (step) => items.of(step));
        nodes.set(id, { ...combined(steps.map((step) => ended.get(step))), ...repeated, ...inner, ...details });
      }
    }
  }
  return nodes;
}

/** `{[name]: values}` with a value or null for each step; `{}` if no step has one. */
function listOf(name: "request" | "items", steps: readonly string[], of: (step: string) => unknown) {
  const all = steps.map((step) => of(step) ?? null);
  return all.every((item) => item === null) ? {} : { [name]: all };
}

function isIteration(stepId: string): boolean {
  return readStepId(stepId).iteration !== null;
}

type Shown = Pick<ReplayedNode, "status" | "output" | "error">;

function shown(outcome: Outcome): Shown {
  const { status } = outcome;
  if (status === "completed") return { status, output: outcome.output.value, error: null };
  return { status, output: null, error: status === "failed" ? outcome.error : null };
}

/** The result of a body's node over all iterations: failed if any of them did. */
function combined(outcomes: readonly (Outcome | undefined)[]): Omit<ReplayedNode, "request" | "isOpen"> {
  const all = outcomes.map((outcome) => shown(outcome ?? { status: "skipped" }));
  const worst = (["failed", "completed", "cancelled"] as const).find((status) =>
    all.some((item) => item.status === status),
  );
  const errors = all.map(({ error }) => error);
  const error = errors.find((item) => item !== null) ?? null;
  return {
    status: worst ?? "skipped",
    output: all.map(({ output }) => output),
    error,
    ...(error === null ? {} : { errors }),
    isRepeated: true,
  };
}
