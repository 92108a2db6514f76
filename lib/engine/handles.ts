import { isJsonObject } from "./json.ts";

/**
 * The handles that a node type can leave by, as data, so that server and browser read the same.
 * `error` exists on every node and is not listed.
 */
export interface HandleSpec {
  /** Always there; empty, and no `each`, for a node with only its plain handle. */
  readonly fixed: readonly string[];
  /** The config field with a list of `{id}`: a handle for each, before the fixed ones. */
  readonly each?: string;
}

/** For nodes that lead on in one way only. */
export const plainHandle: HandleSpec = { fixed: [] };

export function handlesOf(spec: HandleSpec, config: unknown): readonly string[] {
  if (spec.each === undefined || !isJsonObject(config)) return spec.fixed;
  const list = config[spec.each];
  const ids = Array.isArray(list) ? list.flatMap((item) => (isJsonObject(item) ? [item.id] : [])) : [];
  return [...ids.filter((id) => typeof id === "string"), ...spec.fixed];
}
