import { recordStatement } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { NewFlow } from "#lib/contract/flows.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { newHookId, newId } from "#lib/platform/ids.ts";
import { storedTrigger, versionColumns } from "./definition.ts";
import { requireRunnable, requireSoundGraph } from "./flow-problems.ts";
import { scheduleOf } from "./schedule.ts";
import { showFlow } from "./show-flow.ts";
import { storeSchedule } from "./store-schedule.ts";

/** Stores a new flow with its first version and its trigger URL. Throws VALIDATION_ERROR. */
export async function createFlow(actor: Actor, given: NewFlow) {
  const { name, description = null, status, tags, settings = null, nodes, edges, variables } = given;
  const definition = { trigger: storedTrigger(given.trigger), nodes, edges, variables };
  requireSoundGraph(definition);
  const storedSettings = settings === null ? null : JSON.stringify(settings);
  if (status === "active") await requireRunnable(database(), actor.workspaceId, definition, storedSettings);
  const now = timeNow();
  const row = {
    id: newId("flow"),
    hookId: newHookId(),
    name,
    description,
    status,
    tags,
    settings: storedSettings,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  const version = { flowId: row.id, version: 1, ...versionColumns(definition), createdAt: now, createdBy: actor.by.id };
  const entry = { action: "flow.created", id: row.id, name, after: { status, nodes: nodes.length } } as const;
  const schedule = scheduleOf(status, definition.trigger);
  await database().$transaction([
    database().flow.create({ data: { ...row, workspaceId: actor.workspaceId } }),
    database().flowVersion.create({ data: version }),
    ...(schedule === null ? [] : [storeSchedule(database(), row.id, schedule, now)]),
    recordStatement(database(), actor, entry),
  ]);
  return showFlow(row, definition);
}
