import type { z } from "zod";
import type { Effect } from "#lib/contract/executions/executions.ts";
import type { retryPlan } from "#lib/contract/executions/retries.ts";
import type { GraphNode } from "#lib/engine/compile.ts";
import { keySent, type RepeatedKeys, readKeys, repeatsKeys, sentInRun } from "#lib/executions/nodes/repeated-keys.ts";
import type { FoundExecution } from "#lib/executions/store/run-row.ts";
import { effectOf, nodeDefinition } from "#lib/nodes/registry.ts";
import { query } from "#lib/platform/database.ts";
import { yieldTurn } from "#lib/platform/turns.ts";

type Planned = z.output<typeof retryPlan>["nodes"][number];

interface ReachedNode {
  readonly node_id: string;
  readonly input: string | null;
}

// Inputs are resolved configs of at most 64 KiB each.
const readReached = `
  SELECT node_id, input FROM node_execution
  WHERE execution_id = $1 AND started_at IS NOT NULL AND node_id = ANY($2::text[])`;

/** Which outside effects a retry repeats, and which key lets a receiver detect the repetition. */
export class ReplaySafety {
  readonly #original: FoundExecution;
  readonly #keys: RepeatedKeys;
  readonly #isSame: boolean;
  readonly #reached: ReadonlyMap<string, ReachedNode>;

  private constructor(original: FoundExecution, isSame: boolean, reached: ReadonlyMap<string, ReachedNode>) {
    this.#original = original;
    this.#keys = readKeys(original.repeatedKeys);
    this.#isSame = isSame;
    this.#reached = reached;
  }

  static async of(
    original: FoundExecution,
    nodes: readonly GraphNode[],
    requested: string | null,
  ): Promise<ReplaySafety> {
    const ids = nodes.map(({ node }) => node.id);
    const rows = await query<ReachedNode & Record<string, unknown>>("reached-by-run", readReached, [original.id, ids]);
    const reached = new Map(rows.map((row) => [row.node_id, row]));
    return new ReplaySafety(original, repeatsKeys(original.status, requested), reached);
  }

  /** The effect of a node in a retry that plans to run, skip or reuse it. */
  async of(graphNode: GraphNode, plan: Planned["plan"]): Promise<Pick<Planned, "effect" | "replay">> {
    const { node, body } = graphNode;
    const effect = effectWithin(graphNode);
    const notRepeated = (reason: string) => ({ effect, replay: { again: false, key: null, reason } });
    const repeated = (reason: string, key: string | null = null) => ({ effect, replay: { again: true, key, reason } });
    if (plan === "reused") return notRepeated("Its output is reused: nothing is done again");
    if (plan === "skipped") return notRepeated("It is skipped");
    const reached = this.#reached.get(node.id);
    if (reached === undefined) return notRepeated("The original did not get to it");
    if (effect === "none") return repeated("It changes nothing outside of the run");
    if (effect === "read") return repeated("It reads from outside, and changes nothing there");
    const isKeyed = nodeDefinition(node.type)?.sends !== undefined;
    if (!isKeyed && body === null)
      return repeated("It is done once more: no key tells the receiver that it is a repetition");
    if (!this.#isSame) return repeated("It is done once more, with a new key");
    if (body !== null)
      return repeated("Each request of an iteration that is the same again carries the original's key");
    await yieldTurn();
    const { flowId: flow_id, flowVersion: flow_version } = this.#original;
    const sent = await sentInRun({ flow_id, flow_version, input: reached.input }, node.id);
    const key = await keySent(this.#keys, this.#original, node.id, sent);
    const isSame =
      sent === null ? "the flow and its data are the same: its request was not recorded" : "its request is the same";
    return repeated(`It carries the original's key if ${isSame}`, key);
  }
}

/** A node's effect outside; a loop has that of its body. */
function effectWithin({ node, body }: GraphNode): Effect {
  if (body === null) return node.disabled === true ? "none" : effectOf(node);
  const all = body.order.map(effectWithin);
  return (["write", "read"] as const).find((effect) => all.includes(effect)) ?? "none";
}
