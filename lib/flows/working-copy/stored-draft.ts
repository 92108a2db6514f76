import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { draftBody } from "#lib/contract/flows/working-copy.ts";
import type { FlowDefinition, FlowSettings, FlowTrigger } from "#lib/engine/flow.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { parseDefinition, storedTrigger } from "#lib/flows/definition.ts";
import { type LockedFlow, lockFlow, type Transaction } from "#lib/flows/delete-flow.ts";
import { requireRevision } from "#lib/flows/if-match.ts";
import { findFlow } from "#lib/flows/show-flow.ts";
import { iso, nowMs } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { FlowDraftModel } from "#lib/platform/prisma/models.ts";

/** The content that publishing applies. `settings` exclude `canvas`, which no run reads and which people share live. */
export interface DraftContent extends FlowDefinition {
  readonly name: string;
  readonly settings: FlowSettings;
}

/** The parts of a flow's row that its working copy has too. */
interface FlowParts {
  readonly name: string;
  readonly settings: string | null;
}

/** The base of a working copy's name and settings; its other parts are based on a version. */
export type DraftBase = Pick<DraftContent, "name" | "settings">;

/** A stored working copy. */
export interface StoredDraft {
  readonly row: Omit<FlowDraftModel, "definition">;
  readonly base: DraftBase;
  /** As written. */
  readonly content: DraftContent;
}

/** The settings of a flow that are part of a working copy. */
export function settingsOf({ settings }: Pick<FlowParts, "settings">): FlowSettings {
  const { canvas: _, ...others } = settings === null ? {} : (JSON.parse(settings) as FlowSettings);
  return others;
}

/**
 * The content as publishing would store it: the name and each setting that the working copy did not change are the
 * flow's current ones.
 */
export function contentOver(flow: FlowParts, { base, content }: StoredDraft): DraftContent {
  const [before, after]: [Settings, Settings] = [base.settings, content.settings];
  const settings = withTaken(settingsOf(flow), after, (key) => !isDeepStrictEqual(before[key], after[key]));
  return { ...content, name: content.name === base.name ? flow.name : content.name, settings };
}

type Settings = Readonly<Record<string, unknown>>;

/** Settings with some replaced by those of others, or removed if these lack them. */
function withTaken(settings: Settings, others: Settings, isTaken: (key: string) => boolean): FlowSettings {
  const keys = Object.keys({ ...settings, ...others });
  const entries = keys.map((key) => [key, isTaken(key) ? others[key] : settings[key]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Parses a row; null if the flow has no working copy now. */
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

/**
 * Replaces the working copy, which may be unfinished; returns it with its flow, as of this write. Throws NOT_FOUND,
 * CONFLICT by `ifMatch` and `flowUpdatedAt`, VALIDATION_ERROR.
 */
export async function storeDraft(actor: Actor, flowId: string, body: Body, ifMatch: string | null) {
  return await database().$transaction(async (tx) => {
    const flow = await lockFlow(tx, actor, flowId, null);
    const before = await tx.flowDraft.findUnique({ where: { flowId } });
    const stored = readStored(before);
    requireRevision(ifMatch, stored?.row.revision ?? 0);
    requireSameFlow(flow, body.flowUpdatedAt);
    const basedOn = body.basedOn ?? stored?.row.basedOn ?? flow.version;
    if (basedOn > flow.version) {
      const details = { basedOn: `the flow has no version ${basedOn}` };
      throw new AppError("VALIDATION_ERROR", "The working copy cannot be stored", { details });
    }
    const known: DraftBase | null = stored !== null && basedOn === stored.row.basedOn ? stored.base : null;
    const base = baseOf(flow, known, body.definition);
    const { name = base.name, nodes, edges, variables, settings } = body.definition;
    const trigger = body.definition.trigger ?? (await triggerOf(tx, flowId, basedOn));
    // Missing: unchanged; null: removed.
    const written: FlowSettings = settings === undefined ? base.settings : (settings ?? {});
    const content: DraftContent = { name, trigger: storedTrigger(trigger), nodes, edges, variables, settings: written };
    const data = {
      basedOn,
      revision: (before?.revision ?? 0) + 1,
      updatedAt: new Date(Math.max(nowMs(), (before?.updatedAt.getTime() ?? 0) + 1)),
      updatedBy: actor.by.id,
    };
    const texts = { definition: JSON.stringify(content), base: JSON.stringify(base) };
    await tx.flowDraft.upsert({
      where: { flowId },
      create: { flowId, ...data, ...texts },
      update: { ...data, ...texts },
    });
    // Parsed from the stored texts, so that the answer equals a later read.
    const draft: StoredDraft = {
      row: { flowId, base: texts.base, ...data },
      base: JSON.parse(texts.base) as DraftBase,
      content: JSON.parse(texts.definition) as DraftContent,
    };
    return { flow, draft };
  });
}

async function triggerOf(tx: Transaction, flowId: string, version: number): Promise<FlowTrigger> {
  const { definition } = await tx.flowVersion.findUniqueOrThrow({ where: { flowId_version: { flowId, version } } });
  return parseDefinition(definition).trigger;
}

/** A write based on another state of the flow would revert its new name or settings. Throws CONFLICT. */
function requireSameFlow({ version, updatedAt }: LockedFlow, known: string | undefined): void {
  if (known === undefined || Date.parse(known) === updatedAt.getTime()) return;
  const details = { currentVersion: version, updatedAt: iso(updatedAt) };
  throw new AppError("CONFLICT", "The flow was changed since it was read", { details });
}

/**
 * The base of a working copy that is written now. A client that writes back what it read sends the flow's own name and
 * settings: these are not changes of the copy.
 */
function baseOf(
  flow: FlowParts,
  known: DraftBase | null,
  given: Pick<Body["definition"], "name" | "settings">,
): DraftBase {
  const now = { name: flow.name, settings: settingsOf(flow) };
  if (known === null) return now;
  const name = given.name === flow.name ? flow.name : known.name;
  if (given.settings === undefined) return { name, settings: known.settings };
  const [current, sent]: [Settings, Settings] = [now.settings, given.settings ?? {}];
  const settings = withTaken(known.settings, current, (key) => isDeepStrictEqual(sent[key], current[key]));
  return { name, settings };
}

/** Discards the working copy. Throws NOT_FOUND, and CONFLICT by `ifMatch`. */
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

/** The content of a version; null if it is gone. */
export async function definitionOf(
  reader: VersionReader,
  flowId: string,
  version: number,
): Promise<FlowDefinition | null> {
  const where = { flowId_version: { flowId, version } };
  const found = await reader.flowVersion.findUnique({ where, select: { definition: true } });
  return found === null ? null : parseDefinition(found.definition);
}
