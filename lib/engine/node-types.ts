import type { FlowNode } from "./flow.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import type { WaitKind } from "./wait.ts";

/**
 * The handles that a node type can leave by, as data, so that server and browser agree. `error` exists on every node
 * and is not listed.
 */
export interface HandleSpec {
  /** Always present; empty, and without `each`, for a node with only its plain handle. */
  readonly fixed: readonly string[];
  /** The config field with a list of `{id}`: a handle for each, before the fixed ones. */
  readonly each?: string | undefined;
  /** The handle of an edge that names none; without it, such an edge is taken whatever handle the node took. */
  readonly plain?: string | undefined;
  /**
   * Labels for fixed handles, on edges without a handle. With them, edges without a handle or such a label take the
   * remaining fixed handles in order; any further ones take the last.
   */
  readonly labels?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** For nodes with a single way out. */
export const plainHandle: HandleSpec = { fixed: [] };

/** The handles of a node with this config, besides the plain one and `error`. */
export function handlesOf(spec: HandleSpec, config: unknown): readonly string[] {
  if (spec.each === undefined || !isJsonObject(config)) return spec.fixed;
  const list = config[spec.each];
  const ids = Array.isArray(list) ? list.flatMap((item) => (isJsonObject(item) ? [item.id] : [])) : [];
  return [...ids.filter((id) => typeof id === "string"), ...spec.fixed];
}

/** What the engine has to know about a node type: it knows no type by name. */
export interface NodeTraits {
  readonly handles: HandleSpec;
  /** Ends the run wherever it is, and its failure is never caught. */
  readonly ends?: boolean | undefined;
  /** Runs `config.body`, a graph of nodes and edges, for each of its items. */
  readonly hasBody?: boolean | undefined;
  /** The single node that replaces a missing body; only known where runs are driven. */
  readonly bodyInstead?: ((config: JsonObject) => Pick<FlowNode, "type" | "config"> | null) | undefined;
  /**
   * Takes one step after the other, each recorded, by a node of this type: until one leaves by `lastHandle`. Each sees what
   * the earlier ones returned. Its config has no body.
   */
  readonly steps?: string | undefined;
  /** Its steps start flows, and wait for their ends. */
  readonly startsFlows?: boolean | undefined;
  /** What such a node may wait for. */
  readonly waitsFor?: WaitKind | null | undefined;
}

/** By which handle the last step of a node leaves that takes steps. */
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
  /** Undefined for an unknown type. Empty if the node has only its plain handle. */
  handles(type: string, config: unknown): readonly string[] | undefined;
}
