import type { Api } from "#components/api/use-api.ts";
import { flowLimits } from "#lib/engine/flow.ts";

/** The name, with the first number that makes it differ from the names taken: "Order intake 2". */
export function freeName(name: string, taken: readonly string[]): string {
  const used = new Set(taken);
  if (!used.has(name)) return name;
  for (let number = 2; ; number += 1) {
    const suffix = ` ${number}`;
    const next = name.slice(0, flowLimits.nameCharactersMax - suffix.length) + suffix;
    if (!used.has(next)) return next;
  }
}

/** A name for a new flow that tells it from the workspace's flows, as far as these are found by its words. */
export async function freeFlowName(api: Api, name: string): Promise<string> {
  const { items } = await api.callList("listFlows", { query: { search: name, limit: 100 } });
  return freeName(
    name,
    items.map((flow) => flow.name),
  );
}
