import { isDeepStrictEqual } from "node:util";
import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { FlowChanges } from "#lib/contract/flows/flows.ts";
import { identifyEnabledEdges } from "#lib/engine/changes/flow-draft.ts";
import { listChanges, summarizeChanges } from "#lib/engine/changes/list-changes.ts";
import type { FlowDefinition } from "#lib/engine/flow.ts";
import { jsonCharacters } from "#lib/engine/json.ts";
import { AppError } from "#lib/errors.ts";
import { concurrencyOf } from "#lib/executions/nodes/run-limit.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { iso, nowMs } from "#lib/platform/clock.ts";
import { database, statementsOf } from "#lib/platform/database.ts";
import type { PrismaClient } from "#lib/platform/prisma/client.ts";
import { parseDefinition, storedTrigger, versionColumns } from "./definition.ts";
import { type LockedFlow, lockFlow, type Transaction } from "./delete-flow.ts";
import { requireRunnable, requireSoundGraph } from "./flow-problems.ts";
import { requireMatch } from "./if-match.ts";
import { dropListener, listenerOf, requireFewListeners, storeListener } from "./listener.ts";
import { refuseTakenTool, storedToolName } from "./offers/offered-flows.ts";
import { planNodes } from "./plan-nodes.ts";
import { pollOf } from "./polls/poll-trigger.ts";
import { dropPoll, storePoll } from "./polls/stored-poll.ts";
import { scheduleOf } from "./schedule.ts";
import { findFlow, showFlow } from "./show-flow.ts";
import { dropSchedule, storeSchedule } from "./stored-schedule.ts";
import { replaceTests, requireNoneFailing, requiresTests, testsGiven } from "./tests/replace-tests.ts";
import { failingTests } from "./tests/run-tests.ts";

const definitionFields = ["trigger", "nodes", "edges", "variables"] as const;

/**
 * Updates the given fields. A trigger, nodes, edges or variables that really differ create a new version. Concurrent
 * changes are serialized by a lock on the row. Throws NOT_FOUND, VALIDATION_ERROR, and CONFLICT if `ifMatch` (an ETag)
 * does not match the current version.
 */
export async function updateFlow(actor: Actor, id: string, changes: FlowChanges, ifMatch: string | null) {
  testsGiven(actor, changes.tests);
  // Parses long sources before the row is locked; they are cached then.
  if (changes.nodes !== undefined)
    await planNodes(actor.workspaceId, { nodes: changes.nodes.filter(isLong), edges: [] });
  const tested = await requirePassingTests(actor, id, changes, ifMatch);
  return await database().$transaction(async (tx) => {
    const row = await lockFlow(tx, actor, id, ifMatch);
    requireTested(row, tested);
    if (changes.tests !== undefined) await replaceTests(tx, actor, id, changes.tests);
    const { updated, definition } = await changeLocked(tx, actor, row, changes);
    const shown = showFlow(updated, definition);
    // A flow without settings is shown without the field, even right after removing them.
    const sent = Object.entries({ settings: null, ...shown }).filter(([field]) => field in changes);
    const payload = { id, ...Object.fromEntries(sent), updatedAt: shown.updatedAt };
    const result = { payload, version: updated.version };
    await actor.once?.keep(statementsOf(tx), result);
    return result;
  });
}

/** Given when a working copy is published. */
interface Publishing {
  /** Null: generated from the changes. */
  readonly summary: string | null;
}

/**
 * Changes a flow whose row is locked: its version if the content really differs, its schedule, its held runs, and the
 * audit log. Throws VALIDATION_ERROR.
 */
export async function changeLocked(
  tx: Transaction,
  actor: Actor,
  row: LockedFlow,
  changes: FlowChanges,
  publishing?: Publishing,
) {
  const { id } = row;
  const where = { flowId_version: { flowId: id, version: row.version } };
  const current = parseDefinition((await tx.flowVersion.findUniqueOrThrow({ where })).definition);
  const definition = merged(current, changes);
  const changed = !isDeepStrictEqual(definition, current);
  if (changed) requireSoundGraph(definition);
  const status = changes.status ?? row.status;
  const columns = columnsOf(changes);
  const { settings = row.settings } = columns;
  const isRunnable = row.status === "active" && !changed && settings === row.settings;
  if (publishing !== undefined || (status === "active" && !isRunnable)) {
    await requireRunnable(tx, actor.workspaceId, definition, settings);
  }

  const now = new Date(Math.max(nowMs(), row.updatedAt.getTime() + 1));
  const version = changed ? row.version + 1 : row.version;
  if (changed) {
    const summary = publishing?.summary ?? summaryOf(row.name, current, columns.name ?? row.name, definition);
    const made = {
      flowId: id,
      version,
      ...versionColumns(definition),
      createdAt: now,
      createdBy: actor.by.id,
      summary,
      liveAt: status === "active" ? now : null,
    };
    await tx.flowVersion.create({ data: made });
  } else if (status === "active" && row.status !== "active") {
    await tx.flowVersion.updateMany({ where: { ...where.flowId_version, liveAt: null }, data: { liveAt: now } });
  }
  const toolName = storedToolName({ name: columns.name ?? row.name, status, settings });
  const data = { ...columns, toolName, version, updatedAt: now };
  const updated = await refuseTakenTool(toolName, () => tx.flow.update({ where: { id }, data }));
  const schedule = scheduleOf(status, definition.trigger);
  if (schedule !== null) await storeSchedule(tx, id, schedule, now);
  else if (current.trigger.type === "schedule") await dropSchedule(tx, id);
  const listener = listenerOf(status, definition.trigger);
  if (listener !== null) {
    await requireFewListeners(tx, actor.workspaceId, id, listener);
    await storeListener(tx, actor.workspaceId, id, listener);
  } else if (listenerOf("active", current.trigger) !== null) await dropListener(tx, id);
  const poll = pollOf(status, definition.trigger);
  if (poll !== null) await storePoll(tx, actor.workspaceId, id, poll);
  else if (pollOf("active", current.trigger) !== null) await dropPoll(tx, id);
  if (settings !== row.settings) await relimitRuns(tx, id, settings);
  const [before, after] = [partsOf(row), partsOf(updated)];
  // Purely visual changes, such as a card's position, are not recorded.
  if (publishing !== undefined || !isDeepStrictEqual(before, after)) {
    const action = publishing === undefined ? "flow.updated" : "flow.published";
    await recordChange(tx, actor, { action, id, name: updated.name, before, after });
  }
  return { updated, definition };
}

/** A one-line summary of what changed between two versions; null if people would not call it a change. */
function summaryOf(oldName: string, before: FlowDefinition, name: string, after: FlowDefinition): string | null {
  const [old, now] = [before, after].map(({ trigger, nodes, edges, variables }) => {
    return { trigger, nodes, edges: identifyEnabledEdges(nodes, edges, nodeTypes.traits), variables, settings: {} };
  });
  if (old === undefined || now === undefined) return null;
  return summarizeChanges(listChanges({ ...old, name: oldName }, { ...now, name })) || null;
}

/**
 * Throws VALIDATION_ERROR if a flow that requires passing tests is to be active and one of its tests fails on the new
 * definition. Not in a transaction, because it takes a while: returns the flow's `updatedAt`, which must be unchanged
 * afterwards; null if no tests had to run.
 */
export async function requirePassingTests(
  actor: Actor,
  id: string,
  changes: FlowChanges,
  ifMatch: string | null,
): Promise<string | null> {
  const { row, definition: current } = await findFlow(actor, id);
  const { settings = row.settings } = columnsOf(changes);
  const status = changes.status ?? row.status;
  if (status !== "active" || !requiresTests(settings)) return null;
  const definition = merged(current, changes);
  const isSame =
    changes.tests === undefined &&
    row.status === "active" &&
    settings === row.settings &&
    isDeepStrictEqual(definition, current);
  if (isSame) return null;
  requireMatch(ifMatch, row);
  requireSoundGraph(definition);
  await requireRunnable(database(), actor.workspaceId, definition, settings);
  requireNoneFailing(await failingTests(actor, row, definition, changes.tests));
  return iso(row.updatedAt);
}

/** Throws CONFLICT if the flow has changed since its tests ran. */
export function requireTested(row: LockedFlow, tested: string | null): void {
  if (tested === null || iso(row.updatedAt) === tested) return;
  throw new AppError("CONFLICT", "The flow was changed while its tests ran", {
    details: { currentVersion: row.version },
  });
}

const longCharacters = 8_192;

function isLong({ config }: FlowDefinition["nodes"][number]): boolean {
  return jsonCharacters(config, longCharacters) > longCharacters;
}

/** The parts of a flow that the audit log records. */
function partsOf({
  name,
  status,
  version,
}: {
  readonly name: string;
  readonly status: string;
  readonly version: number;
}) {
  return { name, status, version };
}

function merged(current: FlowDefinition, changes: FlowChanges): FlowDefinition {
  const sent = definitionFields.filter((field) => changes[field] !== undefined);
  const next = { ...current, ...Object.fromEntries(sent.map((field) => [field, changes[field]])) };
  // Through JSON, so that it is compared in stored form.
  return parseDefinition(JSON.stringify({ ...next, trigger: storedTrigger(next.trigger) }));
}

function columnsOf({ name, description, status, tags, settings }: FlowChanges) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(status === undefined ? {} : { status }),
    ...(tags === undefined ? {} : { tags }),
    ...(settings === undefined ? {} : { settings: settings === null ? null : JSON.stringify(settings) }),
  };
}

/**
 * Applies the flow's new limit to held runs, in the transaction that changes the settings; without a limit, they may
 * start. Held runs keep their concurrency key.
 */
async function relimitRuns(
  transaction: Pick<PrismaClient, "$executeRaw">,
  flowId: string,
  settings: string | null,
): Promise<void> {
  const concurrency = concurrencyOf(settings);
  await transaction.$executeRaw`
    UPDATE execution SET held = ${concurrency !== null}, concurrency_limit = ${concurrency?.most ?? null}::int,
      concurrency_policy = ${concurrency?.policy ?? null}
    WHERE flow_id = ${flowId} AND status = 'pending' AND held`;
}
