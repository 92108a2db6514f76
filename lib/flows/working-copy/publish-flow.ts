import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { publishFlow as publishFlowEndpoint } from "#lib/contract/flows/working-copy.ts";
import { type FlowDraft, openDraft } from "#lib/engine/changes/flow-draft.ts";
import { summarizeChanges } from "#lib/engine/changes/list-changes.ts";
import { type Clash, mergeDrafts, mergeVariable } from "#lib/engine/changes/merge-drafts.ts";
import type { Sides } from "#lib/engine/changes/merge-sides.ts";
import type { FlowSettings } from "#lib/engine/flow.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { type LockedFlow, lockFlow } from "#lib/flows/delete-flow.ts";
import { etagOf, requireRevision } from "#lib/flows/if-match.ts";
import { planNodes } from "#lib/flows/plan-nodes.ts";
import { showFlow } from "#lib/flows/show-flow.ts";
import { changeLocked, requirePassingTests, requireTested } from "#lib/flows/update-flow.ts";
import { nodeTypes, typesWithBody } from "#lib/nodes/registry.ts";
import { database, statementsOf } from "#lib/platform/database.ts";
import { mapInTurns, yieldTurn } from "#lib/platform/turns.ts";
import { changesOf } from "./show-draft.ts";
import {
  contentOver,
  type DraftContent,
  definitionOf,
  findDraft,
  readStored,
  type StoredDraft,
  settingsOf,
  type VersionReader,
} from "./stored-draft.ts";

type Body = z.output<(typeof publishFlowEndpoint)["body"]>;

/**
 * Makes a flow's working copy its new version. Throws NOT_FOUND, VALIDATION_ERROR, and CONFLICT (with a merge if the
 * flow has changed since).
 */
export async function publishFlow(actor: Actor, id: string, body: Body, ifMatch: string | null) {
  const { once } = actor;
  if (once?.made) return once.made as ReturnType<typeof showFlow>;
  const known = await findDraft(actor, id);
  // Parses sources before the row is locked; they are cached then.
  await planNodes(actor.workspaceId, known.draft.content);
  const { name, trigger, nodes, edges, variables, settings } = known.draft.content;
  const requested = { name, trigger, nodes: [...nodes], edges: [...edges], variables, settings };
  const tested = await requirePassingTests(actor, id, requested, null);
  const made = await database().$transaction(async (tx) => {
    const flow = await lockFlow(tx, actor, id, null);
    const draft = readStored(await tx.flowDraft.findUnique({ where: { flowId: id } }));
    if (draft === null) throw notFound("Working copy");
    requireRevision(ifMatch, draft.row.revision);
    if (tested !== null) requireRevision(etagOf(known.draft.row.revision), draft.row.revision);
    requireTested(flow, tested);
    if (draft.row.basedOn !== flow.version || (body.ifVersion ?? flow.version) !== flow.version) return { flow, draft };
    const summary = body.summary || summarizeChanges(await changesOf(tx, draft)) || null;
    const { name, trigger, nodes, edges, variables, settings } = contentOver(flow, draft);
    const content = { name, trigger, nodes: [...nodes], edges: [...edges], variables };
    const changes = { ...content, settings: settingsWithCanvas(flow, settings) };
    const { updated, definition } = await changeLocked(tx, actor, flow, changes, { summary });
    await tx.flowDraft.update({ where: { flowId: id }, data: { definition: null } });
    const shown = showFlow(updated, definition);
    await once?.keep(statementsOf(tx), shown);
    return { shown };
  });
  if (made.shown !== undefined) return made.shown;
  // Merged after the lock is released: versions never change.
  throw await conflictOf(database(), made.flow, made.draft, body.ifVersion ?? made.flow.version);
}

/** The flow's settings, replaced by the working copy's; null if there are none. */
function settingsWithCanvas({ settings }: LockedFlow, published: FlowSettings): FlowSettings | null {
  const { canvas } = settings === null ? {} : (JSON.parse(settings) as FlowSettings);
  if (settings === null && Object.keys(published).length === 0) return null;
  return { ...published, ...(canvas === undefined ? {} : { canvas }) };
}

async function conflictOf(
  reader: VersionReader,
  flow: LockedFlow,
  draft: StoredDraft,
  expectedRevision: number,
): Promise<AppError> {
  const { version: currentVersion } = flow;
  const { basedOn, revision } = draft.row;
  const merged = basedOn === currentVersion ? undefined : await mergeOf(reader, flow, draft);
  const other =
    basedOn === currentVersion
      ? `ifVersion is ${expectedRevision}`
      : `the working copy was made from version ${basedOn}`;
  const message = `The flow is at version ${currentVersion}, and ${other}`;
  return new AppError("CONFLICT", message, { details: { currentVersion, basedOn, revision, ...merged } });
}

/**
 * Merges both sides' changes since the working copy's base. `merge` is null if they conflict, or if a version is gone.
 */
async function mergeOf(reader: VersionReader, flow: LockedFlow, { row, base, content }: StoredDraft) {
  const before = await definitionOf(reader, flow.id, row.basedOn);
  const now = await definitionOf(reader, flow.id, flow.version);
  if (before === null || now === null) return { merge: null, conflicts: [] };
  const open = (side: DraftContent) => openDraft({ ...side, description: null, tags: [] }, nodeTypes.traits);
  const current = { name: flow.name, settings: settingsOf(flow) };
  const [old, own, other] = [open({ ...before, ...base }), open(content), open({ ...now, ...current })] as const;
  const bare = (side: FlowDraft): FlowDraft => ({ ...side, variables: {} });
  const { draft, clashes } = mergeDrafts(bare(old), bare(own), bare(other), (type) => typesWithBody.includes(type));
  const { description: _, tags: __, ...definition } = draft;
  const merged = await mergeVariables({ old: old.variables, own: own.variables, other: other.variables });
  const conflicts = [...clashes, ...merged.clashes].map(({ what }) => what);
  const merge = conflicts.length === 0 ? { definition: { ...definition, variables: merged.variables } } : null;
  return { merge, conflicts };
}

/** In turns: a flow may have tens of thousands of variables. */
async function mergeVariables(sides: Sides<FlowDraft["variables"]>) {
  const clashes: Clash[] = [];
  const names = [...new Set([...Object.keys(sides.own), ...Object.keys(sides.other)])];
  await yieldTurn();
  const values = await mapInTurns(names, (name) => [name, mergeVariable(name, sides, clashes)] as const);
  return { variables: Object.fromEntries(values.filter(([, value]) => value !== undefined)), clashes };
}
