// Content that PostgreSQL refuses is not an outage: the run at fault fails, and the rest of the batch is written.

import { beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import { triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { recordNodes } from "#lib/executions/store/record-nodes.ts";
import { runningRuns } from "#lib/executions/store/runs-in-process.ts";
import { finished, nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import type { OutboundRequest } from "#lib/nodes/http-request/outbound-request.ts";
import { database, isRefused, isUnavailable, pool, query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { driveRun } from "./drive/drive-run.ts";
import { claimRuns } from "./embedded/claim-runs.ts";
import { runInline } from "./embedded/inline-run.ts";

const refuse = `
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW::text LIKE '%poison%' THEN RAISE EXCEPTION 'unsupported Unicode escape sequence' USING ERRCODE = '22P05'; END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON node_execution FOR EACH ROW EXECUTE FUNCTION refuse();
  CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON execution FOR EACH ROW EXECUTE FUNCTION refuse();`;

inOwnDatabase();
beforeAll(async () => {
  await pool().query(refuse);
  singleton("outside", () => ({
    sandbox: { run: () => Promise.reject(new Error("not needed here")) } as unknown as Outside["sandbox"],
    outbound: {
      send: async ({ url }: OutboundRequest) => ({
        status: 200,
        headers: {},
        body: Buffer.from(url.split("/").at(-1) ?? ""),
      }),
    } as unknown as Outside["outbound"],
  }));
});

const rowOf = (id: string) => database().execution.findUniqueOrThrow({ where: { id } });
const newFlow = async (nodes: readonly FlowNode[] = []) => {
  const edges = nodes.slice(1).map(({ id }, index) => edge(`${nodes[index]?.id} -> ${id}`));
  return await storedFlow(await newActor(), nodes, edges);
};
const call = (answer: string) => node("call", "http-request", { url: `https://api.test/${answer}`, method: "POST" });
const poison = JSON.stringify("poi" + "son");

describe("a batch with a run that PostgreSQL refuses", () => {
  test("stores all other runs' records, of every workspace, without further retries", async () => {
    const ids = await Promise.all(Array.from({ length: 9 }, async () => await storedExecution(await newFlow(), "me")));
    const write = (id: string, place: number) =>
      recordNodes({
        executionId: id,
        fence: 1,
        nodes: [nodeRecord("a", { output: place === 4 ? poison : "1" })],
        logs: [],
      });
    const results = await Promise.allSettled(ids.map(write));
    const statuses = results.map(({ status }) => status);
    expect(statuses).toEqual(ids.map((_, index) => (index === 4 ? "rejected" : "fulfilled")));
    expect(await database().nodeExecution.count({ where: { executionId: { in: ids } } })).toBe(8);
  });

  test("ends all others", async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, async () => await storedExecution(await newFlow(), "me")));
    const end = (id: string, place: number) => finishExecution(finished(id, 1, place === 2 ? { output: poison } : {}));
    const results = await Promise.allSettled(ids.map(end));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
    expect(await database().execution.count({ where: { id: { in: ids }, status: "completed" } })).toBe(4);
  });
});

describe("a run that PostgreSQL refuses to store", () => {
  test("when queued, fails alone and says why; the others in its batch do not", async () => {
    const after = node("say", "respond", { body: "done" });
    const [refused, stored] = [
      await storedExecution(await newFlow([call("poison"), after])),
      await storedExecution(await newFlow([call("fine"), after])),
    ];
    const claims = await claimRuns(10);
    const ends = await Promise.all(claims.map(({ run, recorded }) => driveRun(run, recorded)));
    expect(ends.map((end) => end?.status).toSorted()).toEqual(["completed", "failed"]);
    expect(await rowOf(stored)).toMatchObject({ status: "completed" });
    expect(await rowOf(refused)).toMatchObject({ status: "failed", errorCode: "RECORD_REFUSED" });
    expect((await rowOf(refused)).errorMessage).toBe(
      "What this run did cannot be stored: unsupported Unicode escape sequence",
    );
    expect(runningRuns().size).toBe(0);
  });

  test.each([
    ["that ends at once", [node("say", "respond", { body: "poison" })]],
    ["that acts after it", [node("say", "respond", { body: "poison" }), call("fine")]],
  ])("and whose caller waits, %s, fails and says why", async (_name, nodes) => {
    const flow = await newFlow(nodes);
    // Not the version, which contains the word too but is not a run's record.
    const version = await loadVersion(flow.id, flow.version);
    if (version === null) return expect.fail();
    const { executionId, end } = await runInline(flow, version, {
      triggerType: "webhook",
      trigger: triggerTextOf({ body: {}, headers: {}, query: {}, method: "POST" }),
      source: "webhook",
      ip: null,
      userAgent: null,
    });
    expect(await end).toMatchObject({ status: "failed", error: { code: "RECORD_REFUSED" } });
    expect(await rowOf(executionId)).toMatchObject({ status: "failed", errorCode: "RECORD_REFUSED" });
  });
});

describe("errors of the database", () => {
  const coded = (code: string, message = "no") => Object.assign(new Error(message), { code });

  test.each(["22P02", "22P05", "22021", "54000", "54001", "ERR_STRING_TOO_LONG"])(
    "%s is a refusal, not an outage",
    (code) => {
      expect([isRefused(coded(code)), isUnavailable(coded(code))]).toEqual([true, false]);
    },
  );
  test("a message that is too long is a refusal, although its code is that of a broken connection", () => {
    const error = coded("08P01", "invalid message length");
    expect([isRefused(error), isUnavailable(error)]).toEqual([true, false]);
  });
  test.each(["08006", "57P01", "53300", "ECONNRESET", "40P01"])("%s is an outage, and not refused", (code) => {
    expect([isRefused(coded(code)), isUnavailable(coded(code))]).toEqual([false, true]);
  });
  test("a statement that would make PostgreSQL close the connection is not sent", async () => {
    const large = Buffer.alloc(500_000_000);
    const sent = query("too-large", "SELECT $1::bytea, $2::bytea", [large, large]);
    await expect(sent).rejects.toSatisfy((error) => isRefused(error) && !isUnavailable(error));
  });
});
