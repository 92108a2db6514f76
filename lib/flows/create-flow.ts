import { recordStatement } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { NewFlow } from "#lib/contract/flows/flows.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database, statementsOf } from "#lib/platform/database.ts";
import { newHookId, newId } from "#lib/platform/ids.ts";
import { storedTrigger, versionColumns } from "./definition.ts";
import { requireRunnable, requireSoundGraph } from "./flow-problems.ts";
import { listenerOf, requireFewListeners, storeListener } from "./listener.ts";
import { refuseTakenTool, storedToolName } from "./offers/offered-flows.ts";
import { pollOf } from "./polls/poll-trigger.ts";
import { storePoll } from "./polls/stored-poll.ts";
import { scheduleOf } from "./schedule.ts";
import { showFlow } from "./show-flow.ts";
import { storeSchedule } from "./stored-schedule.ts";
import { noteFilesOfTests, rowsOfTests, type TestDocument } from "./tests/flow-tests.ts";
import { requireNoneFailing, requiresTests } from "./tests/replace-tests.ts";
import { failingTests } from "./tests/run-tests.ts";

/** A connection, or a transaction. */
type FlowWriter = Pick<
  ReturnType<typeof database>,
  "flow" | "flowVersion" | "flowSchedule" | "flowTest" | "$executeRaw"
>;

/**
 * Stores a new flow with its first version, its trigger URL and its tests. `extra`: added to the answer, even when the
 * request is repeated. Throws VALIDATION_ERROR.
 */
export async function createFlow<Extra extends object = object>(
  actor: Actor,
  given: NewFlow,
  tests: readonly TestDocument[] = [],
  extra?: Extra,
): Promise<ReturnType<typeof showFlow> & Partial<Extra>> {
  const { once } = actor;
  if (once?.made) return once.made as ReturnType<typeof showFlow> & Partial<Extra>;
  const { name, description = null, status, tags, settings = null, nodes, edges, variables } = given;
  const definition = { trigger: storedTrigger(given.trigger), nodes, edges, variables };
  requireSoundGraph(definition);
  const storedSettings = settings === null ? null : JSON.stringify(settings);
  if (status === "active") await requireRunnable(database(), actor.workspaceId, definition, storedSettings);
  if (status === "active" && requiresTests(storedSettings)) {
    requireNoneFailing(await failingTests(actor, { id: newId("flow"), name }, definition, tests));
  }
  const now = timeNow();
  const row = {
    id: newId("flow"),
    hookId: newHookId(),
    name,
    description,
    status,
    tags,
    settings: storedSettings,
    toolName: storedToolName({ name, status, settings: storedSettings }),
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  const liveAt = status === "active" ? now : null;
  const madeBy = { createdAt: now, createdBy: actor.by.id };
  const version = { flowId: row.id, version: 1, ...versionColumns(definition), ...madeBy, liveAt };
  const entry = { action: "flow.created", id: row.id, name, after: { status, nodes: nodes.length } } as const;
  const testRows = await rowsOfTests(row.id, tests, now);
  const schedule = scheduleOf(status, definition.trigger);
  const listener = listenerOf(status, definition.trigger);
  if (listener !== null) await requireFewListeners(database(), actor.workspaceId, row.id, listener);
  const poll = pollOf(status, definition.trigger);
  const shown = { ...showFlow(row, definition), ...extra } as ReturnType<typeof showFlow> & Partial<Extra>;
  const statements = (writer: FlowWriter) => [
    writer.flow.create({ data: { ...row, workspaceId: actor.workspaceId } }),
    writer.flowVersion.create({ data: version }),
    ...(schedule === null ? [] : [storeSchedule(writer, row.id, schedule, now)]),
    ...(testRows.length === 0 ? [] : [writer.flowTest.createMany({ data: testRows })]),
    ...(listener === null ? [] : [storeListener(writer, actor.workspaceId, row.id, listener)]),
    ...(poll === null ? [] : [storePoll(writer, actor.workspaceId, row.id, poll)]),
    recordStatement(writer, actor, entry),
  ];
  await noteFilesOfTests(actor, testRows);
  await refuseTakenTool(row.toolName, async () => {
    if (once === undefined) return await database().$transaction(statements(database()));
    return await database().$transaction(async (tx) => {
      await once.keep(statementsOf(tx), shown);
      for (const statement of statements(tx)) await statement;
    });
  });
  return shown;
}
