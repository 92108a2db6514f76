import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import type { FindFlow } from "#lib/replay/sub-flow.ts";

/** Finds the flows of a workspace as their sub-flow nodes do: as they are published. Asks once for each. */
export function findSubFlow(workspaceId: string): FindFlow {
  const known = new Map<string, ReturnType<FindFlow>>();
  const find = async (flowId: string) => {
    if (!isId("flow", flowId)) return null;
    const row = await database().flow.findFirst({ where: { id: flowId, workspaceId } });
    const flow = row === null ? null : await loadVersion(row.id, row.version);
    return row === null || flow === null ? null : { name: row.name, flow };
  };
  return (flowId) => {
    const found = known.get(flowId) ?? find(flowId);
    known.set(flowId, found);
    return found;
  };
}
