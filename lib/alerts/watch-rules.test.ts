// What rules find in stored runs, at times chosen by the test.
import { expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { NewAlertRule } from "#lib/contract/alerts.ts";
import { createCredential } from "#lib/credentials/credentials.ts";
import { foldStatistics } from "#lib/executions/statistics/fold-statistics.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import { insertExecution } from "#lib/executions/store/insert-execution.ts";
import { newExecution, type StartedFlow, triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { finished, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { database } from "#lib/platform/database.ts";
import { createAlertRule } from "./alert-rules.ts";
import { evaluateRules } from "./watch-rules.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

let actor: Actor;
inOwnDatabase();

async function newFlow(): Promise<StartedFlow> {
  actor = await newActor();
  return await storedFlow(actor);
}

/** Stores a run of `durationMs`; without a status it is in progress. */
async function store(flow: StartedFlow, startedAt: Date, status?: "completed" | "failed" | "cancelled") {
  const trigger = triggerTextOf({ body: {}, headers: {}, query: {}, method: "POST" });
  const request = {
    triggerType: "manual",
    trigger,
    source: "api",
    ip: null,
    userAgent: null,
    leaseOwner: "test",
  } as const;
  const execution = { ...newExecution(flow, request), startedAt: startedAt.toISOString() };
  await insertExecution(execution);
  if (status === undefined) return;
  const completedAt = new Date(startedAt.getTime() + 1_000).toISOString();
  await finishExecution(finished(execution.id, null, { status, completedAt }));
}

async function makeRule(fields: Partial<NewAlertRule> & Pick<NewAlertRule, "kind">) {
  const usual = { name: "Watch", threshold: 1, windowMinutes: 60, quietMinutes: 60, emails: [], active: true };
  return await createAlertRule(actor, { ...usual, ...fields });
}

const later = (ms: number) => new Date(Date.now() + ms);
const messages = async () =>
  (await database().alert.findMany({ where: { workspaceId: actor.workspaceId }, orderBy: { at: "asc" } })).map(
    ({ message }) => message,
  );

test("a rule that cannot be evaluated does not hold up the others", async () => {
  const flow = await newFlow();
  await makeRule({ kind: "drift", flowId: flow.id });
  await store(flow, new Date(), "completed");
  await database().execution.updateMany({ data: { warnings: `[{"code":"DRIFT"`, warningCount: 1 } });
  await makeRule({ kind: "inactivity", windowMinutes: 60 });
  const [first, second] = await database().alertRule.findMany({ where: { workspaceId: actor.workspaceId } });
  const [drift, inactivity] = first?.kind === "drift" ? [first, second] : [second, first];
  await database().alertRule.update({ where: { id: drift?.id ?? "" }, data: { nextCheckAt: new Date(0) } });
  expect(inactivity?.kind).toBe("inactivity");
  expect(await evaluateRules(later(120 * minuteMs))).toBe(1);
});

test("inactivity is reported when nothing has started within the window, and only then", async () => {
  const flow = await newFlow();
  await makeRule({ kind: "inactivity", windowMinutes: 120, flowId: flow.id });
  await store(flow, later(60 * minuteMs));
  await store(flow, later(120 * minuteMs), "cancelled");
  await evaluateRules(later(60 * minuteMs));
  await evaluateRules(later(170 * minuteMs));
  await evaluateRules(later(230 * minuteMs));
  expect(await messages()).toEqual([]);
  await evaluateRules(later(250 * minuteMs));
  expect(await messages()).toEqual(["Test has not run for 2 hours"]);
});

test("a rate over days counts only completed and failed runs", async () => {
  const flow = await newFlow();
  await makeRule({ kind: "failure_rate", threshold: 50, windowMinutes: 2 * 1_440 });
  await store(flow, later(-3 * dayMs), "completed");
  for (const day of [-1.5, -1, -0.5]) await store(flow, later(day * dayMs), "failed");
  await foldStatistics();
  await store(flow, later(-minuteMs), "cancelled");
  await store(flow, later(-minuteMs), "completed");
  await evaluateRules(later(0));
  expect(await messages()).toEqual([]);
  await store(flow, later(-minuteMs), "completed");
  await evaluateRules(later(11_000));
  expect(await messages()).toEqual(["60% of all runs failed within 2 days: 3 of 5"]);
});

test("only one of several concurrent checks fires, and the rule is then quiet for its period", async () => {
  const flow = await newFlow();
  await makeRule({ kind: "failures_in_row", threshold: 2, quietMinutes: 60 });
  await store(flow, later(-3_000), "completed");
  await store(flow, later(0), "failed");
  await store(flow, later(10), "failed");
  const at = later(minuteMs);
  await Promise.all([evaluateRules(at), evaluateRules(at), evaluateRules(at)]);
  expect(await messages()).toEqual(["The last 2 runs of Test failed"]);
  await store(flow, later(2 * minuteMs), "failed");
  await evaluateRules(later(3 * minuteMs));
  expect(await messages()).toHaveLength(1);
  await evaluateRules(later(62 * minuteMs));
  expect(await messages()).toHaveLength(2);
});

test("a run that drifts from earlier ones is reported, with the path", async () => {
  const flow = await newFlow();
  await makeRule({ kind: "drift" });
  await store(flow, later(0), "completed");
  expect(await evaluateRules(later(0))).toBe(0);
  const warnings = (code: string) => JSON.stringify([{ nodeId: "a", message: "nodes.a.output.x is text", code }]);
  const { id } = await database().execution.findFirstOrThrow({ where: { flowId: flow.id } });
  await database().execution.update({ where: { id }, data: { warningCount: 1, warnings: warnings("OTHER") } });
  expect(await evaluateRules(later(20_000))).toBe(0);
  await database().execution.update({ where: { id }, data: { warnings: warnings("DRIFT") } });
  expect(await evaluateRules(later(40_000))).toBe(1);
  expect(await messages()).toEqual(["A run of Test differs from earlier ones: nodes.a.output.x is text"]);
});

test("a credential that its provider refused is reported once", async () => {
  await newFlow();
  await makeRule({ kind: "credential" });
  const data = {
    grant: "client_credentials",
    tokenUrl: "https://example.com/",
    clientId: "a",
    clientSecret: "hush-hush",
  };
  const { id } = await createCredential(actor, { name: "google", type: "oauth2", data: data as never });
  expect(await evaluateRules(later(0))).toBe(0);
  const refused = { status: "needs-reconnect", problem: "the provider refused: invalid_grant", refusedAt: later(1) };
  await database().oAuthConnection.update({ where: { credentialId: id }, data: refused });
  expect(await evaluateRules(later(20_000))).toBe(1);
  expect(await messages()).toEqual([
    "The credential google needs to be connected again: the provider refused: invalid_grant",
  ]);
  expect(await evaluateRules(later(4_000_000))).toBe(0);
  const flowId = (await storedFlow(actor)).id;
  await expect(makeRule({ kind: "credential", flowId })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});
