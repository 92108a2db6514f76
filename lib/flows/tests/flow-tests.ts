import { recordChange } from "#lib/audit/record-change.ts";
import { type Actor, requireScope } from "#lib/auth/actor.ts";
import { testLimits } from "#lib/contract/flows/flow-test-document.ts";
import type { FlowTestChanges, NewFlowTest, ShownFlowTest } from "#lib/contract/flows/flow-tests.ts";
import { jsonCharacters } from "#lib/engine/json.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { filesIn, forgetFiles, noteFiles } from "#lib/files/references.ts";
import { lockFlow } from "#lib/flows/delete-flow.ts";
import { etagOf } from "#lib/flows/if-match.ts";
import { findFlow } from "#lib/flows/show-flow.ts";
import { iso, isoNow, nowMs, timeNow } from "#lib/platform/clock.ts";
import { database, statementsOf } from "#lib/platform/database.ts";
import { isId, newId } from "#lib/platform/ids.ts";
import type { FlowTestModel } from "#lib/platform/prisma/models.ts";
import { yieldAfter } from "#lib/platform/turns.ts";
import type { Expectation } from "#lib/replay/comparison/expectation.ts";
import type { ReplayInput } from "#lib/replay/replay.ts";
import { testOfRun } from "./test-of-run.ts";

/** A test's stored data, without its name. */
export interface TestData extends ReplayInput {
  readonly expect: Expectation;
}

/** A test as a standalone document. */
export interface TestDocument extends Omit<TestData, "now"> {
  readonly name: string;
  readonly now?: string | undefined;
}

type AnsweredTest = { readonly payload: ShownFlowTest; readonly headers: { readonly etag: string } };

/** A page of a flow's tests, newest first. Throws NOT_FOUND. */
export async function listFlowTests(actor: Actor, id: string, { page, limit }: { page: number; limit: number }) {
  await findFlow(actor, id);
  const where = { flowId: id };
  const total = await database().flowTest.count({ where });
  const orderBy = [{ createdAt: "desc" as const }, { id: "desc" as const }];
  const skip = Math.min((page - 1) * limit, total);
  const rows = await database().flowTest.findMany({ where, orderBy, skip, take: limit });
  const items: ShownFlowTest[] = [];
  for (const row of rows) {
    await yieldAfter(row.data.length);
    items.push(showTest(row));
  }
  return { items, total };
}

/** Throws NOT_FOUND. */
export async function readFlowTest(actor: Actor, id: string, testId: string): Promise<AnsweredTest> {
  return withTag(await findTest(actor, id, testId));
}

/** Creates a test from the given data or from a run. Throws NOT_FOUND, VALIDATION_ERROR, FORBIDDEN. */
export async function createFlowTest(actor: Actor, id: string, given: NewFlowTest): Promise<AnsweredTest> {
  const { once } = actor;
  if (once?.made) return once.made as AnsweredTest;
  const { row: flow } = await findFlow(actor, id);
  if (given.fromExecutionId !== undefined) requireScope(actor, "executions:read");
  const made =
    given.fromExecutionId === undefined ? null : await testOfRun(actor, flow, runOf(given.fromExecutionId, given.deep));
  const name = given.name ?? made?.name ?? "Test";
  const data = asText(made?.data ?? dataOf(given), made === null ? "body" : "fromExecutionId");
  return await database().$transaction(async (tx) => {
    await lockFlow(tx, actor, id, null);
    const sizes = await tx.$queryRaw<{ tests: number; characters: number }[]>`
      SELECT count(*)::int AS tests, coalesce(sum(length(data)), 0)::int AS characters
      FROM flow_test WHERE flow_id = ${id}`;
    requireRoom(sizes[0]?.tests ?? 0, (sizes[0]?.characters ?? 0) + data.length);
    const row = await tx.flowTest.create({ data: newRow(id, name, data, timeNow()) });
    await noteFiles(ownerOf(actor, row.id), filesIn(data), statementsOf(tx));
    await recordChange(tx, actor, { action: "flow_test.created", id: row.id, name, after: { flowId: id } });
    const shown = withTag(row);
    await once?.keep(statementsOf(tx), shown);
    return shown;
  });
}

function runOf(id: string, deep = false) {
  return { id, field: "fromExecutionId", deep };
}

/** A test, as the owner of references to files. */
export function ownerOf({ workspaceId }: Pick<Actor, "workspaceId">, id: string) {
  return { kind: "test", id, workspaceId } as const;
}

/** Records the files that tests name before the tests are stored. */
export async function noteFilesOfTests(
  actor: Pick<Actor, "workspaceId">,
  rows: readonly { readonly id: string; readonly data: string }[],
): Promise<void> {
  for (const { id, data } of rows) await noteFiles(ownerOf(actor, id), filesIn(data));
}

/** A new row for a test. */
export function newRow(flowId: string, name: string, data: string, now: Date) {
  return { id: newId("flowTest"), flowId, name, data, createdAt: now, updatedAt: now };
}

/** Updates the given fields; the same values make no new version. Throws NOT_FOUND, VALIDATION_ERROR, CONFLICT. */
export async function updateFlowTest(
  actor: Actor,
  id: string,
  testId: string,
  changes: FlowTestChanges,
  ifMatch: string | null,
): Promise<AnsweredTest> {
  await findTest(actor, id, testId);
  return await database().$transaction(async (tx) => {
    await lockFlow(tx, actor, id, null);
    const row = await tx.flowTest.findFirst({ where: { id: testId, flowId: id } });
    if (row === null) throw notFound("Test");
    requireVersion(row, ifMatch);
    const { name = row.name, ...fields } = changes;
    const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
    const data = sent.length === 0 ? row.data : asText({ ...readTest(row), ...Object.fromEntries(sent) }, "body");
    if (name === row.name && data === row.data) return withTag(row);
    const others = await tx.$queryRaw<{ characters: number }[]>`
      SELECT coalesce(sum(length(data)), 0)::int AS characters FROM flow_test WHERE flow_id = ${id} AND id <> ${testId}`;
    requireRoom(0, (others[0]?.characters ?? 0) + data.length);
    const result = data === row.data ? {} : { lastResult: null };
    const updatedAt = new Date(Math.max(nowMs(), row.updatedAt.getTime() + 1));
    const version = row.version + 1;
    const updated = await tx.flowTest.update({
      where: { id: testId },
      data: { name, data, version, updatedAt, ...result },
    });
    if (data !== row.data) {
      const files = filesIn(data);
      await noteFiles(ownerOf(actor, testId), files, statementsOf(tx));
      await forgetFiles("test", testId, files, statementsOf(tx));
    }
    const change = { before: { name: row.name }, after: { name } };
    await recordChange(tx, actor, { action: "flow_test.updated", id: testId, name, ...change });
    return withTag(updated);
  });
}

/** Throws NOT_FOUND, CONFLICT. */
export async function deleteFlowTest(actor: Actor, id: string, testId: string, ifMatch: string | null): Promise<null> {
  await findTest(actor, id, testId);
  await database().$transaction(async (tx) => {
    await lockFlow(tx, actor, id, null);
    const row = await tx.flowTest.findFirst({ where: { id: testId, flowId: id } });
    if (row === null) throw notFound("Test");
    requireVersion(row, ifMatch);
    await tx.flowTest.delete({ where: { id: testId } });
    await recordChange(tx, actor, { action: "flow_test.deleted", id: testId, name: row.name });
  });
  return null;
}

/** Throws NOT_FOUND. */
export async function findTest(actor: Actor, flowId: string, testId: string): Promise<FlowTestModel> {
  await findFlow(actor, flowId);
  const row = isId("flowTest", testId) ? await database().flowTest.findFirst({ where: { id: testId, flowId } }) : null;
  if (row === null) throw notFound("Test");
  return row;
}

/** A flow's tests as standalone documents, oldest first. */
export async function testsToExport(flowId: string): Promise<(TestDocument & TestData)[]> {
  const orderBy = [{ createdAt: "asc" as const }, { id: "asc" as const }];
  const rows = await database().flowTest.findMany({ where: { flowId }, orderBy });
  const documents: (TestDocument & TestData)[] = [];
  for (const row of rows) {
    await yieldAfter(row.data.length);
    documents.push({ name: row.name, ...readTest(row) });
  }
  return documents;
}

/** Turns test documents into rows for a new flow. Yields to the event loop. Throws VALIDATION_ERROR. */
export async function rowsOfTests(flowId: string, documents: readonly TestDocument[], now: Date) {
  const rows: ReturnType<typeof newRow>[] = [];
  let characters = 0;
  for (const [index, document] of documents.entries()) {
    const data = asText(dataOf(document), `tests[${index}]`);
    await yieldAfter(data.length);
    characters += data.length;
    requireRoom(index, characters);
    // A millisecond apart, so that they keep their order.
    rows.push(newRow(flowId, document.name, data, new Date(now.getTime() + index)));
  }
  return rows;
}

function dataOf({ trigger, now, recordings, deep, expect }: TestInput): TestData {
  return {
    trigger: { ...{ body: {}, headers: {}, query: {}, method: "POST" }, ...trigger },
    now: now ?? isoNow(),
    recordings: recordings ?? {},
    ...(deep === true ? { deep } : {}),
    expect: expect ?? { status: "completed" },
  };
}

type TestInput = { readonly [Field in keyof TestData]?: TestData[Field] | undefined };

/** Parses a stored test. */
export function readTest({ data }: Pick<FlowTestModel, "data">): TestData {
  return JSON.parse(data) as TestData;
}

/** A test in stored form; its size is estimated before it is serialized. Throws VALIDATION_ERROR. */
function asText(data: TestData, field: string): string {
  const charactersMax = testLimits.testCharactersMax;
  // A digit and its comma are estimated as five characters.
  const estimateMax = 2.5 * charactersMax;
  const text = jsonCharacters(data, estimateMax) > estimateMax ? null : JSON.stringify(data);
  if (text !== null && text.length <= charactersMax) return text;
  throw invalid(
    field,
    `a test has at most ${charactersMax.toLocaleString("en-US")} characters as JSON: this one has more`,
  );
}

function requireRoom(others: number, characters: number): void {
  if (others >= testLimits.testsMax) throw invalid("tests", `a flow has at most ${testLimits.testsMax} tests`);
  if (characters <= testLimits.allCharactersMax) return;
  const charactersMax = testLimits.allCharactersMax.toLocaleString("en-US");
  throw invalid("tests", `the tests of a flow have at most ${charactersMax} characters together`);
}

function invalid(field: string, message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The test exceeds a limit", { details: { [field]: message } });
}

function requireVersion({ version }: FlowTestModel, ifMatch: string | null): void {
  if (ifMatch === null) return;
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (tags.includes("*") || tags.includes(etagOf(version))) return;
  throw new AppError("CONFLICT", `The test is at version ${version}, not the one that was changed`, {
    details: { currentVersion: version },
  });
}

function withTag(row: FlowTestModel): AnsweredTest {
  return { payload: showTest(row), headers: { etag: etagOf(row.version) } };
}

function showTest(row: FlowTestModel): ShownFlowTest {
  const { trigger, now, recordings, deep = false, expect } = readTest(row);
  return {
    id: row.id,
    flowId: row.flowId,
    name: row.name,
    trigger,
    now,
    recordings,
    deep,
    expect,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
    lastResult: row.lastResult === null ? null : JSON.parse(row.lastResult),
  };
}
