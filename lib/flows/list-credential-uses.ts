import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { credentialUse } from "#lib/contract/credentials.ts";
import { findCredential } from "#lib/credentials/find-credential.ts";
import { credentialNamesOf } from "#lib/executions/credential-names.ts";
import { planNodeConfig } from "#lib/nodes/registry.ts";
import { query } from "#lib/platform/database.ts";
import { parseDefinition } from "./definition.ts";

type CredentialUse = z.output<typeof credentialUse>;

interface FlowRow extends Record<string, unknown> {
  id: string;
  name: string;
  status: CredentialUse["flowStatus"];
  definition: string;
}

const flowsMax = 200;

// A first, rough choice; who really uses it is read from the expressions.
const mentioning = `
  SELECT f.id, f.name, f.status, v.definition
  FROM flow f JOIN flow_version v ON v.flow_id = f.id AND v.version = f.version
  WHERE f.workspace_id = $1 AND (position($2 IN v.definition) > 0 OR position('$credentials' IN v.definition) > 0)
  ORDER BY f.name, f.id`;

/** Where a credential is used, by the flows' current versions. Throws NOT_FOUND. */
export async function listCredentialUses(actor: Actor, id: string): Promise<CredentialUse[]> {
  const { name } = await findCredential(actor, id);
  const flows = await query<FlowRow>("flows-mentioning", mentioning, [actor.workspaceId, name]);
  return flows
    .map((flow) => useOf(flow, name))
    .filter(({ byTrigger, nodes }) => byTrigger || nodes.length > 0)
    .slice(0, flowsMax);
}

function useOf(flow: FlowRow, name: string): CredentialUse {
  const { trigger, nodes } = parseDefinition(flow.definition);
  const using = nodes.filter((node) => {
    const names = credentialNamesOf([node], ({ type, config }) => planNodeConfig(type, config));
    return names === null || names.includes(name);
  });
  return {
    flowId: flow.id,
    flowName: flow.name,
    flowStatus: flow.status,
    byTrigger: trigger.config.credential === name,
    nodes: using.map((node) => ({ id: node.id, name: node.name })),
  };
}
