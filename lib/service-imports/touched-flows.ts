import type { TouchedFlow } from "#lib/contract/services.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { query } from "#lib/platform/database.ts";
import { giveWayAfter } from "#lib/platform/turns.ts";

const flowsMax = 200;

const mentioning = `
  SELECT f.id, f.name, v.definition, d.definition AS draft
  FROM flow f JOIN flow_version v ON v.flow_id = f.id AND v.version = f.version LEFT JOIN flow_draft d ON d.flow_id = f.id
  WHERE f.workspace_id = $1 AND (position($2 IN v.definition) > 0 OR position($2 IN d.definition) > 0)
  ORDER BY f.name, f.id LIMIT ${flowsMax}`;

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly name: string;
  readonly definition: string;
  readonly draft: string | null;
}

/** The flows whose nodes, live or in a working copy, call operations that are gone or changed; at most 200. */
export async function touchedFlows(
  workspaceId: string,
  serviceId: string,
  changes: { readonly removed: readonly string[]; readonly changed: readonly string[] },
): Promise<TouchedFlow[]> {
  if (changes.removed.length + changes.changed.length === 0) return [];
  const [removed, changed] = [new Set(changes.removed), new Set(changes.changed)];
  const touched: TouchedFlow[] = [];
  for (const { id, name, definition, draft } of await query<Row>("flows-calling", mentioning, [
    workspaceId,
    serviceId,
  ])) {
    const nodes = new Map<string, TouchedFlow["nodes"][number]>();
    for (const text of [definition, draft ?? "null"]) {
      await giveWayAfter(text.length);
      for (const { node, operation } of callsIn(JSON.parse(text), serviceId)) {
        const change = removed.has(operation) ? "removed" : changed.has(operation) ? "changed" : null;
        if (change !== null) nodes.set(node, { id: node, operation, change });
      }
    }
    if (nodes.size > 0) touched.push({ flowId: id, flowName: name, nodes: [...nodes.values()] });
  }
  return touched;
}

/** Nodes at any depth, since bodies of loops have nodes too. */
function callsIn(definition: unknown, serviceId: string): { node: string; operation: string }[] {
  const found: { node: string; operation: string }[] = [];
  const open: unknown[] = [definition];
  while (open.length > 0) {
    const at = open.pop();
    if (typeof at !== "object" || at === null) continue;
    if (isJsonObject(at)) {
      const { id, config } = at;
      if (typeof id === "string" && isJsonObject(config) && config.service === serviceId) {
        found.push({ node: id, operation: String(config.operation) });
      }
    }
    for (const value of Object.values(at)) open.push(value);
  }
  return found;
}
