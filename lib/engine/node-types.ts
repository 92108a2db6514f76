import type { FlowNode } from "./flow.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import type { WaitKind } from "./wait.ts";

/**
 * The handles that a node type can leave by, as data, so that server and browser agree. Every node also has `error`,
 * which is not listed.
 */
export interface HandleSpec {
  /** Always present. A node with only its plain handle has none of these and no `each`. */
  readonly fixed: readonly string[];
  /** The config field with a list of `{id}`: each gives a handle, before the fixed ones. */
  readonly each?: string | undefined;
  /** The handle of an edge that names none. If undefined, such an edge is taken whichever handle the node leaves by. */
  readonly plain?: string | undefined;
  /**
   * Edge labels that name a fixed handle, for edges without one. Edges with neither take the remaining fixed handles in
   * order; any further ones take the last.
   */
  readonly labels?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** For nodes with one output. */
export const plainHandle: HandleSpec = { fixed: [] };

/** The handles of a node with this config, besides the plain one and `error`. */
export function handlesOf(spec: HandleSpec, config: unknown): readonly string[] {
  if (spec.each === undefined || !isJsonObject(config)) return spec.fixed;
  const list = config[spec.each];
  const ids = Array.isArray(list) ? list.flatMap((item) => (isJsonObject(item) ? [item.id] : [])) : [];
  return [...ids.filter((id) => typeof id === "string"), ...spec.fixed];
}

/** All that the engine knows about a node type: it knows none by name. */
export interface NodeTraits {
  readonly handles: HandleSpec;
  /** Ends the run, at any depth; its failure is never caught. */
  readonly ends?: boolean | undefined;
  /** Runs `config.body`, a graph of nodes and edges, for each of its items. */
  readonly hasBody?: boolean | undefined;
  /** The single node that replaces a missing body; defined only where runs are driven. */
  readonly bodyInstead?: ((config: JsonObject) => Pick<FlowNode, "type" | "config"> | null) | undefined;
  /**
   * The node type that runs as its steps, one after the other, each recorded, until one leaves by `lastHandle`. A step
   * sees the results of earlier ones. Its config has no body.
   */
  readonly steps?: string | undefined;
  /** Its steps start flows and wait for them to end. */
  readonly startsFlows?: boolean | undefined;
  /** What a node of this type may wait for. */
  readonly waitsFor?: WaitKind | null | undefined;
}

/** The handle by which the last of a node's steps leaves. */
export const lastHandle = "last";

/** A type's traits by name; undefined for an unknown one. */
export type TraitsOf = (type: string) => NodeTraits | undefined;

/** How a node acts on the world; decides what is recorded and when (docs/decisions/recording-runs.md). */
export const nodeEffects = ["none", "outside", "wait"] as const;
export type NodeEffect = (typeof nodeEffects)[number];

/** Groups node types in the palette and sets a card's colour. */
export const nodeFamilies = ["action", "logic", "data", "output"] as const;
export type NodeFamily = (typeof nodeFamilies)[number];

/** The known node types. */
export interface NodeTypes {
  known(): readonly string[];
  readonly traits: TraitsOf;
  /** Empty if the node has only its plain handle; undefined for an unknown type. */
  handles(type: string, config: unknown): readonly string[] | undefined;
}
