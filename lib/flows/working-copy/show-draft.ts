import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { draftBody, ShownDraft } from "#lib/contract/flows/working-copy.ts";
import { identifyEnabledEdges } from "#lib/engine/changes/flow-draft.ts";
import { type CopiedFlow, type ListedChange, listChanges, summarizeChanges } from "#lib/engine/changes/list-changes.ts";
import { findFlowProblems, listedProblems } from "#lib/flows/flow-problems.ts";
import { namesOfAuthors } from "#lib/flows/flow-versions.ts";
import { planNodes } from "#lib/flows/plan-nodes.ts";
import { showTrigger } from "#lib/flows/show-flow.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import {
  contentOver,
  type DraftContent,
  definitionOf,
  findDraft,
  type StoredDraft,
  storeDraft,
  type VersionReader,
} from "./stored-draft.ts";

/** A flow's working copy, with its changes and what prevents publishing it. Throws NOT_FOUND. */
export async function readDraft(actor: Actor, flowId: string): Promise<ShownDraft> {
  const { flow, draft } = await findDraft(actor, flowId);
  return await showDraft(actor, flow.row, draft);
}

/** A flow's row beside its working copy. */
interface CopiedRow {
  readonly name: string;
  readonly settings: string | null;
  readonly hookId: string;
  readonly version: number;
}

async function showDraft(actor: Actor, flow: CopiedRow, draft: StoredDraft): Promise<ShownDraft> {
  const content = contentOver(flow, draft);
  const { trigger, nodes, edges, variables, name, settings } = content;
  const { basedOn, revision, updatedAt, updatedBy } = draft.row;
  const changes = await changesOf(database(), draft);
  await yieldTurn();
  const planned = await planNodes(actor.workspaceId, { nodes, edges });
  const stored = JSON.stringify(settings);
  const problems = await findFlowProblems(database(), actor.workspaceId, content, planned, stored);
  return {
    definition: {
      name,
      trigger: showTrigger(trigger, flow.hookId),
      nodes: [...nodes],
      edges: [...edges],
      variables,
      settings,
    },
    basedOn,
    currentVersion: flow.version,
    revision,
    updatedAt: iso(updatedAt),
    updatedBy,
    updatedByName: (await namesOfAuthors(actor, [updatedBy])).get(updatedBy ?? "") ?? null,
    changes,
    summary: summarizeChanges(changes),
    problems: [...listedProblems(problems)],
  };
}

/** How a working copy differs from its base; unknown if the base version is gone. */
export async function changesOf(reader: VersionReader, { row, base, content }: StoredDraft): Promise<ListedChange[]> {
  const before = await definitionOf(reader, row.flowId, row.basedOn);
  return before === null ? [] : listChanges(compared({ ...before, ...base }), compared(content));
}

/** Content for comparison: with plain edges' settled handles. */
function compared({ trigger, nodes, edges, variables, name, settings }: DraftContent): CopiedFlow {
  const identified = identifyEnabledEdges(nodes, edges, nodeTypes.traits);
  return { name, trigger, nodes, edges: identified, variables, settings };
}

/**
 * Stores a working copy and returns it as stored, even if others change it right afterwards. Throws NOT_FOUND, CONFLICT
 * by `ifMatch`, VALIDATION_ERROR.
 */
export async function writeDraft(
  actor: Actor,
  flowId: string,
  body: z.output<typeof draftBody>,
  ifMatch: string | null,
): Promise<ShownDraft> {
  const { flow, draft } = await storeDraft(actor, flowId, body, ifMatch);
  return await showDraft(actor, flow, draft);
}
