import type { FlowDefinition } from "#lib/engine/flow.ts";
import { depthMax } from "#lib/engine/flow-body.ts";
import type { PlannedNode } from "#lib/flows/plan-nodes.ts";
import { query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { yieldAfter } from "#lib/platform/turns.ts";
import { credentialsNamed, flowsStarted, flowsStartedBy, type References, tablesNamed } from "./references.ts";

const flowsMax = 50;
const definitionBytesMax = 1_048_576;

const findCredentials = "SELECT name FROM credential WHERE workspace_id = $1 AND name = ANY($2::text[])";
const findTables = `
  SELECT id, name FROM data_table WHERE workspace_id = $1 AND (name = ANY($2::text[]) OR id = ANY($2::text[]))`;
const findFlows = `
  SELECT f.id, f.name, f.status, v.definition FROM flow f
  LEFT JOIN flow_version v
    ON v.flow_id = f.id AND v.version = f.version AND octet_length(v.definition) <= ${definitionBytesMax}
  WHERE f.workspace_id = $1 AND f.id = ANY($2::text[])`;

interface FlowRow extends Record<string, unknown> {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** Null for a flow that is too large to check. */
  readonly definition: string | null;
}

/** Looks up what the nodes refer to: credentials and tables by name, and flows as deep as they may call each other. */
export async function referencesOf(workspaceId: string, planned: readonly PlannedNode[]): Promise<References> {
  const names = [...new Set(planned.flatMap(credentialsNamed))];
  const rows =
    names.length === 0 ? [] : await query<{ name: string }>("named-credentials", findCredentials, [workspaceId, names]);
  const tables = [...new Set(planned.flatMap(tablesNamed))];
  const tableRows =
    tables.length === 0
      ? []
      : await query<{ id: string; name: string }>("named-tables", findTables, [workspaceId, tables]);
  const flows = new Map<string, { name: string; status: string; runs: readonly string[] }>();
  const missing = new Set<string>();
  let flowIds = [...new Set(planned.flatMap(({ node }) => flowsStarted(node)))];
  for (let depth = 0; depth < depthMax && flowIds.length > 0 && flows.size < flowsMax; depth += 1) {
    const ids = flowIds.filter((id) => isId("flow", id) && !flows.has(id)).slice(0, flowsMax - flows.size);
    const found = ids.length === 0 ? [] : await query<FlowRow>("flows-that-are-run", findFlows, [workspaceId, ids]);
    for (const id of ids) missing.add(id);
    for (const id of flowIds) if (!isId("flow", id)) missing.add(id);
    flowIds = [];
    for (const { id, name, status, definition } of found) {
      await yieldAfter(definition?.length ?? 0);
      const nodes = definition === null ? [] : (JSON.parse(definition) as FlowDefinition).nodes;
      const runs = flowsStartedBy(nodes);
      flows.set(id, { name, status, runs });
      missing.delete(id);
      flowIds.push(...runs);
    }
  }
  return {
    credentials: new Set(rows.map(({ name }) => name)),
    tables: new Set(tableRows.flatMap(({ id, name }) => [id, name])),
    flows,
    missing,
  };
}
