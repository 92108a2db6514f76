import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { credentialUse } from "#lib/contract/credentials.ts";
import { findCredential } from "#lib/credentials/credentials.ts";
import type { FlowTrigger } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { credentialNamesOf } from "#lib/executions/nodes/compiled-version.ts";
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
  /** The working copy's; null if there is none. */
  draft: string | null;
}

const flowsMax = 200;

// A rough pre-filter; the parsed expressions decide.
const isMentioned = (definition: string) =>
  `position($2 IN ${definition}) > 0 OR position('$credentials' IN ${definition}) > 0`;
const currentFlows = `
  FROM flow f JOIN flow_version v ON v.flow_id = f.id AND v.version = f.version LEFT JOIN flow_draft d ON d.flow_id = f.id
  WHERE f.workspace_id = $1`;
const mentioning = `
  SELECT f.id ${currentFlows} AND (${isMentioned("v.definition")} OR ${isMentioned("d.definition")})
  ORDER BY f.name, f.id`;
const some = `
  SELECT f.id, f.name, f.status, v.definition, d.definition AS draft ${currentFlows} AND f.id = ANY($2::text[])
  ORDER BY f.name, f.id`;

/** Flows read at once: each has up to 1 MiB, and its working copy too. */
const flowsAtOnce = 4;

/** Where the flows' current versions and working copies use a credential. Throws NOT_FOUND. */
export async function listCredentialUses(actor: Actor, id: string): Promise<CredentialUse[]> {
  const { name } = await findCredential(actor, id);
  const found = await query<{ id: string }>("flows-mentioning", mentioning, [actor.workspaceId, name]);
  const ids = found.map((flow) => flow.id);
  const uses: CredentialUse[] = [];
  for await (const flow of flowsOf(actor, ids)) {
    const current = await usesIn(actor, flow.definition, name);
    const draft = flow.draft === null ? unused : await usesIn(actor, flow.draft, name);
    if (isUsed(current) || isUsed(draft)) {
      const shown = { flowId: flow.id, flowName: flow.name, flowStatus: flow.status };
      uses.push({ ...shown, ...current, ...(isUsed(draft) && { draft }) });
    }
    if (uses.length === flowsMax) break;
  }
  return uses;
}

async function* flowsOf({ workspaceId }: Actor, ids: readonly string[]): AsyncGenerator<FlowRow, void, undefined> {
  for (let from = 0; from < ids.length; from += flowsAtOnce) {
    yield* await query<FlowRow>("flows-to-look-through", some, [workspaceId, ids.slice(from, from + flowsAtOnce)]);
  }
}

function isPolledWith({ type, config: { request } }: FlowTrigger, name: string): boolean {
  return type === "poll" && isJsonObject(request) && request.credential === name;
}

type Uses = Pick<CredentialUse, "byTrigger" | "nodes">;

const unused: Uses = { byTrigger: false, nodes: [] };

function isUsed({ byTrigger, nodes }: Uses): boolean {
  return byTrigger || nodes.length > 0;
}

async function usesIn({ workspaceId }: Actor, definition: string, name: string): Promise<Uses> {
  const { trigger, nodes } = parseDefinition(definition);
  const named = await readFor(workspaceId, nodes, (node, read) => ({
    node,
    names: credentialNamesOf([node], ({ type, config }) => planNodeConfig(type, config, read)),
  }));
  const using = named.filter(({ names }) => names === null || names.includes(name));
  return {
    byTrigger: trigger.config.credential === name || isPolledWith(trigger, name),
    nodes: using.map(({ node }) => ({ id: node.id, name: node.name })),
  };
}
