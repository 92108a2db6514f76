import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { credentialUse } from "#lib/contract/credentials.ts";
import { findCredential } from "#lib/credentials/credentials.ts";
import { credentialNamesOf } from "#lib/executions/secrets/credential-names.ts";
import { planNodeConfig } from "#lib/nodes/registry.ts";
import { query } from "#lib/platform/database.ts";
import { readFor } from "#lib/reading/read-sources.ts";
import { parseDefinition } from "./definition.ts";

type CredentialUse = z.output<typeof credentialUse>;

interface FlowRow extends Record<string, unknown> {
  id: string;
  name: string;
  status: CredentialUse["flowStatus"];
  definition: string;
}

const flowsMax = 200;

// A rough pre-selection; the expressions tell who really uses it.
const mentioning = `
  SELECT f.id, f.name, f.status, v.definition
  FROM flow f JOIN flow_version v ON v.flow_id = f.id AND v.version = f.version
  WHERE f.workspace_id = $1 AND (position($2 IN v.definition) > 0 OR position('$credentials' IN v.definition) > 0)
  ORDER BY f.name, f.id`;

/** Where the flows' current versions use a credential. Throws NOT_FOUND. */
export async function listCredentialUses(actor: Actor, id: string): Promise<CredentialUse[]> {
  const { name } = await findCredential(actor, id);
  const flows = await query<FlowRow>("flows-mentioning", mentioning, [actor.workspaceId, name]);
  const uses: CredentialUse[] = [];
  for (const flow of flows) {
    const use = await flowUse(actor, flow, name);
    if (use.byTrigger || use.nodes.length > 0) uses.push(use);
    if (uses.length === flowsMax) break;
  }
  return uses;
}

async function flowUse({ workspaceId }: Actor, flow: FlowRow, name: string): Promise<CredentialUse> {
  const { trigger, nodes } = parseDefinition(flow.definition);
  const named = await readFor(workspaceId, nodes, (node, read) => ({
    node,
    names: credentialNamesOf([node], ({ type, config }) => planNodeConfig(type, config, read)),
  }));
  const using = named.filter(({ names }) => names === null || names.includes(name));
  return {
    flowId: flow.id,
    flowName: flow.name,
    flowStatus: flow.status,
    byTrigger: trigger.config.credential === name,
    nodes: using.map(({ node }) => ({ id: node.id, name: node.name })),
  };
}
