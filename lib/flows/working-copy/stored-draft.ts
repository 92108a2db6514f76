import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { draftBody } from "#lib/contract/flows/working-copy.ts";
import type { FlowDefinition, FlowSettings } from "#lib/engine/flow.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { parseDefinition, storedTrigger } from "#lib/flows/definition.ts";
import { lockFlow } from "#lib/flows/delete-flow.ts";
import { requireRevision } from "#lib/flows/if-match.ts";
import { findFlow } from "#lib/flows/show-flow.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { FlowDraftModel } from "#lib/platform/prisma/models.ts";

/** What publishing makes of a flow. `settings` are without `canvas`, which no run reads and people share at once. */
export interface DraftContent extends FlowDefinition {
  readonly name: string;
  readonly settings: FlowSettings;
}

/** A flow's row, as far as its working copy has parts of it. */
interface FlowParts {
  readonly name: string;
  readonly settings: string | null;
}

/** The name and the settings that a working copy began from; its other parts are those of a version. */
export type DraftBase = Pick<DraftContent, "name" | "settings">;

/** A working copy as it is stored. */
export interface StoredDraft {
  readonly row: Omit<FlowDraftModel, "definition">;
  readonly base: DraftBase;
  /** As it was written. */
  readonly content: DraftContent;
}

/** The settings of a flow that a working copy has. */
export function settingsOf({ settings }: Pick<FlowParts, "settings">): FlowSettings {
  const { canvas: _, ...others } = settings === null ? {} : (JSON.parse(settings) as FlowSettings);
  return others;
}

/**
 * The content as publishing would store it: the name and each setting that the working copy did not change are as the
 * flow has them now.
 */
export function contentOver(flow: FlowParts, { base, content }: StoredDraft): DraftContent {
  const now: Record<string, unknown> = { ...settingsOf(flow) };
  const [before, after]: Record<string, unknown>[] = [{ ...base.settings }, { ...content.settings }];
  for (const key of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
    if (isDeepStrictEqual(before?.[key], after?.[key])) continue;
    if (after?.[key] === undefined) delete now[key];
    else now[key] = after[key];
  }
  return { ...content, name: content.name === base.name ? flow.name : content.name, settings: now };
}

/** Reads a row; null where the flow has no working copy now. */
export function readStored(row: FlowDraftModel | null): StoredDraft | null {
  if (row === null || row.definition === null) return null;
  const { definition, ...others } = row;
  return { row: others, base: JSON.parse(row.base) as DraftBase, content: JSON.parse(definition) as DraftContent };
}

/** A flow of the actor's workspace with its working copy. Throws NOT_FOUND. */
export async function findDraft(actor: Actor, flowId: string) {
  const flow = await findFlow(actor, flowId);
  const draft = readStored(await database().flowDraft.findUnique({ where: { flowId } }));
  if (draft === null) throw notFound("Working copy");
  return { flow, draft };
}

type Body = z.output<typeof draftBody>;

/** Stores what may be half-made, in place of what was there. Throws NOT_FOUND, CONFLICT by `ifMatch`, VALIDATION_ERROR. */
export async function storeDraft(actor: Actor, flowId: string, body: Body, ifMatch: string | null): Promise<void> {
  await database().$transaction(async (tx) => {
    const flow = await lockFlow(tx, actor, flowId, null);
    const before = await tx.flowDraft.findUnique({ where: { flowId } });
    const stored = readStored(before);
    requireRevision(ifMatch, stored?.row.revision ?? 0);
    const basedOn = body.basedOn ?? stored?.row.basedOn ?? flow.version;
    if (basedOn > flow.version) {
      const details = { basedOn: `the flow has no version ${basedOn}` };
      throw new AppError("VALIDATION_ERROR", "The working copy cannot be stored", { details });
    }
    const base: DraftBase =
      stored !== null && basedOn === stored.row.basedOn ? stored.base : { name: flow.name, settings: settingsOf(flow) };
    const { name = flow.name, trigger, nodes, edges, variables, settings } = body.definition;
    const content = { name, trigger: storedTrigger(trigger), nodes, edges, variables, settings: settings ?? {} };
    const data = {
      definition: JSON.stringify(content),
      base: JSON.stringify(base),
      basedOn,
      revision: (before?.revision ?? 0) + 1,
      updatedAt: new Date(Math.max(nowMs(), (before?.updatedAt.getTime() ?? 0) + 1)),
      updatedBy: actor.by.id,
    };
    await tx.flowDraft.upsert({ where: { flowId }, create: { flowId, ...data }, update: data });
  });
}

/** Leaves the flow as it is published. Throws NOT_FOUND, and CONFLICT by `ifMatch`. */
export async function discardDraft(actor: Actor, flowId: string, ifMatch: string | null): Promise<null> {
  await database().$transaction(async (tx) => {
    const { name } = await lockFlow(tx, actor, flowId, null);
    const stored = readStored(await tx.flowDraft.findUnique({ where: { flowId } }));
    if (stored === null) throw notFound("Working copy");
    const { basedOn, revision } = stored.row;
    requireRevision(ifMatch, revision);
    await tx.flowDraft.update({ where: { flowId }, data: { definition: null } });
    await recordChange(tx, actor, { action: "flow.draft_discarded", id: flowId, name, before: { basedOn, revision } });
  });
  return null;
}

/** A connection, or a transaction. */
export type VersionReader = Pick<ReturnType<typeof database>, "flowVersion">;

/** The content of a version that may be gone with the runs that it had; null then. */
export async function definitionOf(
  reader: VersionReader,
  flowId: string,
  version: number,
): Promise<FlowDefinition | null> {
  const where = { flowId_version: { flowId, version } };
  const found = await reader.flowVersion.findUnique({ where, select: { definition: true } });
  return found === null ? null : parseDefinition(found.definition);
}
