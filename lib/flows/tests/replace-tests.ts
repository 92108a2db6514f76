import { createHash } from "node:crypto";
import { recordChange } from "#lib/audit/record-change.ts";
import { type Actor, requireScope } from "#lib/auth/actor.ts";
import type { FlowTestResult } from "#lib/contract/flows/flow-tests.ts";
import type { FlowSettings } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { AppError } from "#lib/errors.ts";
import { filesIn, forgetFiles, noteFiles } from "#lib/files/references.ts";
import type { Transaction } from "#lib/flows/delete-flow.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { statementsOf } from "#lib/platform/database.ts";
import type { FlowTestModel } from "#lib/platform/prisma/models.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { ownerOf, readTest, rowsOfTests, type TestDocument } from "./flow-tests.ts";

/** The tests sent with a flow, which need their own scope. Throws FORBIDDEN. */
export function testsGiven(actor: Actor, tests: readonly TestDocument[] | undefined): readonly TestDocument[] {
  if (tests !== undefined) requireScope(actor, "tests:write");
  return tests ?? [];
}

/** Whether a flow with these settings (JSON text) can be active only while its tests pass. */
export function requiresTests(settings: string | null): boolean {
  return settings !== null && (JSON.parse(settings) as FlowSettings).tests?.requiredToActivate === true;
}

/** Throws VALIDATION_ERROR with the first problem of each test that fails. */
export function requireNoneFailing(failing: readonly FlowTestResult[]): void {
  if (failing.length === 0) return;
  const details = failing.map(({ testId, name, problems: [first] }) => {
    const detail = first === undefined ? "" : `: ${first.path} ${first.message}`;
    return [`tests.${testId}`, `"${name}" fails${detail}`];
  });
  throw new AppError("VALIDATION_ERROR", "The flow cannot be active while its tests fail", {
    details: Object.fromEntries(details),
  });
}

/**
 * Replaces a flow's tests, in the transaction that locks its row: unchanged ones keep their last results, ones with
 * an existing name are updated, and others are deleted. Throws
 * VALIDATION_ERROR for too many or too large ones.
 */
export async function replaceTests(
  tx: Transaction,
  actor: Actor,
  flowId: string,
  tests: readonly TestDocument[],
): Promise<void> {
  const orderBy = [{ createdAt: "asc" as const }, { id: "asc" as const }];
  const stored = await tx.flowTest.findMany({ where: { flowId }, orderBy });
  const testRows = await rowsOfTests(flowId, tests, new Date(nowMs()));
  const left: Compared<FlowTestModel>[] = [];
  for (const row of stored) left.push(await comparedOf(row));
  const take = (fits: (compared: Compared<FlowTestModel>) => boolean) => {
    const at = left.findIndex(fits);
    return at === -1 ? undefined : left.splice(at, 1)[0]?.row;
  };
  const unchanged = new Set<number>();
  for (const [index, row] of testRows.entries()) {
    const { content, now } = await comparedOf(row);
    // A test without a time keeps the existing one.
    const isTimed = tests[index]?.now !== undefined;
    if (take((other) => other.content === content && (!isTimed || other.now === now))) unchanged.add(index);
  }
  for (const [index, row] of testRows.entries()) {
    if (unchanged.has(index)) continue;
    const { name, data } = row;
    const before = take((other) => other.row.name === name);
    const [testId, files] = [before?.id ?? row.id, filesIn(data)];
    await noteFiles(ownerOf(actor, testId), files, statementsOf(tx));
    await forgetFiles("test", testId, files, statementsOf(tx));
    if (before === undefined) {
      await tx.flowTest.create({ data: row });
      await recordChange(tx, actor, { action: "flow_test.created", id: row.id, name, after: { flowId } });
      continue;
    }
    const updatedAt = new Date(Math.max(nowMs(), before.updatedAt.getTime() + 1));
    const version = before.version + 1;
    await tx.flowTest.update({ where: { id: before.id }, data: { data, version, updatedAt, lastResult: null } });
    const change = { before: { name }, after: { name } };
    await recordChange(tx, actor, { action: "flow_test.updated", id: before.id, name, ...change });
  }
  for (const {
    row: { id, name },
  } of left) {
    await tx.flowTest.delete({ where: { id } });
    await recordChange(tx, actor, { action: "flow_test.deleted", id, name });
  }
}

type NamedData = Pick<FlowTestModel, "name" | "data">;

interface Compared<Row extends NamedData> {
  readonly row: Row;
  readonly now: string;
  /** A hash of its name and data without the time, whatever the order of members. */
  readonly content: string;
}

/** Each test is read once: all of a flow's may have the same name, and be large. */
async function comparedOf<Row extends NamedData>(row: Row): Promise<Compared<Row>> {
  await yieldTurn();
  const { now, ...content } = readTest(row);
  const text = JSON.stringify([row.name, content], (_, value: unknown) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
  return { row, now, content: createHash("sha256").update(text).digest("base64") };
}
