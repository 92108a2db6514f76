// Before a run, a test or a row is stored, the files that it names are noted.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { finishExecution, finishTogether } from "#lib/executions/store/finish-execution.ts";
import { insertExecution, insertTogether } from "#lib/executions/store/insert-execution.ts";
import { newExecution, type StartedFlow, triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { recordNodes } from "#lib/executions/store/record-nodes.ts";
import { storeEndedRun } from "#lib/executions/store/store-ended-run.ts";
import { finished, nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { saveFile } from "#lib/files/save-file.ts";
import { createFlowTest, updateFlowTest } from "#lib/flows/tests/flow-tests.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { insertRow, updateRow } from "#lib/tables/rows/write-rows.ts";
import { createTable } from "#lib/tables/tables.ts";

process.env.DATA_DIR = mkdtempSync(join(tmpdir(), "files-"));
let actor: Actor;
let flow: StartedFlow;
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  flow = await storedFlow(actor);
});

let file: string;
let other: string;
beforeEach(async () => {
  [file, other] = [await newFile(), await newFile()];
});
async function newFile(): Promise<string> {
  async function* bytes() {
    yield Buffer.from("x");
  }
  return (await saveFile(actor.workspaceId, { name: "x", contentType: "text/plain", bytes: bytes() })).file;
}
const namedBy = async (id: string) =>
  (await queryPlanned<{ file_id: string }>("SELECT file_id FROM file_reference WHERE owner_id = $1", [id]))
    .map((row) => row.file_id)
    .sort();
const execution = (body: unknown, leaseOwner: string | null = null) =>
  newExecution(flow, {
    triggerType: "manual",
    trigger: triggerTextOf({ body, headers: {}, query: {}, method: "POST" }),
    source: "api",
    ip: null,
    userAgent: null,
    leaseOwner,
  });
const json = (id: string) => JSON.stringify({ body: { file: id } });

describe("a run", () => {
  test("that is stored when it starts, alone or with others", async () => {
    const [alone, among] = [execution({ file }), execution([other])];
    await insertExecution(alone);
    await insertTogether([among], {});
    expect([await namedBy(alone.id), await namedBy(among.id)]).toEqual([[file], [other]]);
  });

  test("that is stored when it ends", async () => {
    const begun = execution({ file }, "me");
    const end = finished(begun.id, null, { output: json(other), nodes: [nodeRecord("a", { output: json(file) })] });
    expect(await storeEndedRun(begun, end)).toBe(true);
    expect(await namedBy(begun.id)).toEqual([file, other].sort());
  });

  test("whose nodes name a file in their input or output", async () => {
    const id = await storedExecution(flow, "me");
    await recordNodes({ executionId: id, fence: 1, nodes: [nodeRecord("a", { input: json(file) })], logs: [] });
    await recordNodes({ executionId: id, fence: 1, nodes: [nodeRecord("b", { output: json(other) })], logs: [] });
    expect(await namedBy(id)).toEqual([file, other].sort());
  });

  test("whose output names a file, however it ends", async () => {
    const [first, second] = [await storedExecution(flow, "me"), await storedExecution(flow, "me")];
    await finishExecution(finished(first, 1, { output: json(file) }));
    await finishTogether([finished(second, 1, { output: json(other) })], async () => {});
    expect([await namedBy(first), await namedBy(second)]).toEqual([[file], [other]]);
  });

  test("of another workspace notes nothing", async () => {
    const theirs = await storedFlow(await newActor());
    const id = await storedExecution(theirs, "me");
    await finishExecution(finished(id, 1, { output: json(file) }));
    expect(await namedBy(id)).toEqual([]);
  });
});

test("a test, including what it no longer names", async () => {
  const trigger = (id: string) => ({ body: { file: id }, headers: {}, query: {}, method: "POST" });
  const made = await createFlowTest(actor, flow.id, { name: "t", trigger: trigger(file) });
  const { id } = made.payload;
  expect(await namedBy(id)).toEqual([file]);
  await updateFlowTest(actor, flow.id, id, { trigger: trigger(other) }, null);
  expect(await namedBy(id)).toEqual([other]);
});

test("a table's row, including what it no longer names", async () => {
  const plain = { unique: false, indexed: false, required: false };
  const table = await createTable(actor, {
    name: "documents",
    columns: [
      { ...plain, name: "document", type: "json" },
      { ...plain, name: "note", type: "text" },
    ],
  });
  const row = await insertRow(actor, table.id, { document: { file }, note: `see ${other}` });
  const owner = `${table.id}/${row.id}`;
  expect(await namedBy(owner)).toEqual([file, other].sort());
  await updateRow(actor, table.id, row.id, { note: null }, null);
  expect(await namedBy(owner)).toEqual([file]);
  await updateRow(actor, table.id, row.id, { document: null }, null);
  expect(await namedBy(owner)).toEqual([]);
});
