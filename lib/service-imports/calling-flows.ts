import type { Actor } from "#lib/auth/actor.ts";
import type { ServiceUse, TouchedFlow } from "#lib/contract/service-imports.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { notFound } from "#lib/errors.ts";
import { database, query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { yieldAfter } from "#lib/platform/turns.ts";
import { findService } from "#lib/services/model/all.ts";

const flowsMax = 200;

const versions = `
  FROM flow f JOIN flow_version v ON v.flow_id = f.id AND v.version = f.version LEFT JOIN flow_draft d ON d.flow_id = f.id
  WHERE f.workspace_id = $1`;
const mentioning = `
  SELECT f.id ${versions} AND (position($2 IN v.definition) > 0 OR position($2 IN d.definition) > 0)
  ORDER BY f.name, f.id LIMIT ${flowsMax}`;
const byId = `SELECT f.name, f.status, v.definition, d.definition AS draft ${versions} AND f.id = $2`;

interface Row extends Record<string, unknown> {
  readonly name: string;
  readonly status: ServiceUse["flowStatus"];
  readonly definition: string;
  readonly draft: string | null;
}

/** A node that calls an operation. */
interface Call {
  readonly id: string;
  readonly name: string;
  readonly operation: string;
}

interface CallingFlow {
  readonly id: string;
  readonly name: string;
  readonly status: ServiceUse["flowStatus"];
  readonly live: readonly Call[];
  /** The calls in the working copy. */
  readonly draft: readonly Call[];
}

/**
 * The flows whose nodes, published or in a working copy, call a service; at most 200. One by one, because each may be
 * large.
 */
export async function* callingFlows(workspaceId: string, serviceId: string): AsyncGenerator<CallingFlow> {
  for (const { id } of await query<{ id: string }>("flows-calling", mentioning, [workspaceId, `"${serviceId}"`])) {
    const [flow] = await query<Row>("flow-calling", byId, [workspaceId, id]);
    if (flow === undefined) continue;
    const live = await callsIn(flow.definition, serviceId);
    const draft = flow.draft === null ? [] : await callsIn(flow.draft, serviceId);
    if (live.length + draft.length > 0) yield { id, name: flow.name, status: flow.status, live, draft };
  }
}

/** Where flows use a service. Throws NOT_FOUND. */
export async function listServiceUses(actor: Actor, serviceId: string): Promise<ServiceUse[]> {
  const { workspaceId } = actor;
  const isKnown =
    findService(serviceId) !== undefined ||
    (isId("service", serviceId) && (await database().service.count({ where: { id: serviceId, workspaceId } })) > 0);
  if (!isKnown) throw notFound("Service");
  const uses: ServiceUse[] = [];
  for await (const { id, name, status, live, draft } of callingFlows(workspaceId, serviceId)) {
    const draftNodes = draft.length === 0 ? {} : { draftNodes: [...draft] };
    uses.push({ flowId: id, flowName: name, flowStatus: status, nodes: [...live], ...draftNodes });
  }
  return uses;
}

/** Calls at any depth, including loop bodies, in the order of the definition. */
async function callsIn(definition: string, serviceId: string): Promise<Call[]> {
  await yieldAfter(definition.length);
  const found: Call[] = [];
  const open: unknown[] = [JSON.parse(definition)];
  while (open.length > 0) {
    const at = open.pop();
    if (typeof at !== "object" || at === null) continue;
    if (isJsonObject(at)) {
      const { id, name, config } = at;
      if (typeof id === "string" && isJsonObject(config) && config.service === serviceId) {
        found.push({ id, name: String(name ?? id), operation: String(config.operation) });
      }
    }
    for (const value of Object.values(at).reverse()) open.push(value);
  }
  return found;
}

/** The flows whose nodes, published or in a working copy, call removed or changed operations. */
export async function touchedFlows(
  workspaceId: string,
  serviceId: string,
  changes: { readonly removed: readonly string[]; readonly changed: readonly string[] },
): Promise<TouchedFlow[]> {
  if (changes.removed.length + changes.changed.length === 0) return [];
  const [removed, changed] = [new Set(changes.removed), new Set(changes.changed)];
  const touched: TouchedFlow[] = [];
  for await (const { id: flowId, name: flowName, live, draft } of callingFlows(workspaceId, serviceId)) {
    const nodes = new Map<string, TouchedFlow["nodes"][number]>();
    for (const { id, operation } of [...live, ...draft]) {
      const change = removed.has(operation) ? "removed" : changed.has(operation) ? "changed" : null;
      if (change !== null) nodes.set(id, { id, operation, change });
    }
    if (nodes.size > 0) touched.push({ flowId, flowName, nodes: [...nodes.values()] });
  }
  return touched;
}
