import { recordStatement } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { NewFlow } from "#lib/contract/flows/flows.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database, statementsOf } from "#lib/platform/database.ts";
import { newHookId, newId } from "#lib/platform/ids.ts";
import { storedTrigger, versionColumns } from "./definition.ts";
import { requireRunnable, requireSoundGraph } from "./flow-problems.ts";
import { scheduleOf } from "./schedule.ts";
import { showFlow } from "./show-flow.ts";
import { storeSchedule } from "./stored-schedule.ts";
import { rowsOfTests, type TestDocument } from "./tests/flow-tests.ts";

/** A connection, or a transaction. */
type FlowWriter = Pick<
  ReturnType<typeof database>,
  "flow" | "flowVersion" | "flowSchedule" | "flowTest" | "$executeRaw"
>;

/** Stores a new flow with its first version, its trigger URL and its tests. Throws VALIDATION_ERROR. */
export async function createFlow(actor: Actor, given: NewFlow, tests: readonly TestDocument[] = []) {
  const { once } = actor;
  if (once?.made) return once.made as ReturnType<typeof showFlow>;
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
  const testRows = rowsOfTests(row.id, tests, now);
  const schedule = scheduleOf(status, definition.trigger);
  const shown = showFlow(row, definition);
  const statements = (writer: FlowWriter) => [
    writer.flow.create({ data: { ...row, workspaceId: actor.workspaceId } }),
    writer.flowVersion.create({ data: version }),
    ...(schedule === null ? [] : [storeSchedule(writer, row.id, schedule, now)]),
    ...(testRows.length === 0 ? [] : [writer.flowTest.createMany({ data: testRows })]),
    recordStatement(writer, actor, entry),
  ];
  if (once === undefined) await database().$transaction(statements(database()));
  else {
    await database().$transaction(async (tx) => {
      await once.keep(statementsOf(tx), shown);
      for (const statement of statements(tx)) await statement;
    });
  }
  return shown;
}
