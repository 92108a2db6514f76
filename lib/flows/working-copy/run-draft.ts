import type { FlowDefinition } from "#lib/engine/flow.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { versionColumns } from "#lib/flows/definition.ts";
import { requireSoundGraph } from "#lib/flows/flow-problems.ts";
import { database, query } from "#lib/platform/database.ts";
import { contentOver, readStored } from "./stored-draft.ts";

const keep = `
  INSERT INTO flow_version (flow_id, version, definition, branches, created_at, created_by, based_on)
  VALUES ($1, -$2::int, $3, $4, now(), $5, $6)
  ON CONFLICT (flow_id, version) DO UPDATE SET created_at = now()`;

// A run in progress may not have its record yet, so recent revisions are kept.
const forget = `
  DELETE FROM flow_version v WHERE flow_id = $1 AND version < 0 AND version <> -$2::int
    AND created_at < now() - interval '1 hour'
    AND NOT EXISTS (SELECT FROM execution e WHERE e.flow_id = v.flow_id AND e.flow_version = v.version AND e.source = 'draft')`;

/** What a flow's working copy would run now, valid or not, without storing it; null without a working copy. */
export async function definitionOfDraft(flowId: string): Promise<FlowDefinition | null> {
  const draft = readStored(await database().flowDraft.findUnique({ where: { flowId } }));
  if (draft === null) return null;
  const { trigger, nodes, edges, variables } = draft.content;
  return { trigger, nodes, edges, variables };
}

/**
 * A flow's working copy, ready to run. Its current revision is stored as a version below zero, for as long as it has
 * runs. Its runs are exempt from the flow's concurrency limit: they neither wait for runs that callers started nor
 * delay them. Null without a working copy. Throws VALIDATION_ERROR if its graph is invalid.
 */
export async function draftToRun<Flow extends StartedFlow>(flow: Flow): Promise<Flow | null> {
  const draft = readStored(await database().flowDraft.findUnique({ where: { flowId: flow.id } }));
  if (draft === null) return null;
  const { name, settings, trigger, nodes, edges, variables } = contentOver(flow, draft);
  const definition = { trigger, nodes, edges, variables };
  requireSoundGraph(definition);
  const { basedOn, revision, updatedBy } = draft.row;
  const columns = versionColumns(definition);
  const values = [flow.id, revision, columns.definition, columns.branches, updatedBy, basedOn];
  await query("keep-draft", keep, values);
  await query("forget-drafts", forget, [flow.id, revision]);
  return { ...flow, name, version: -revision, settings: JSON.stringify(settings), isDraft: true };
}
