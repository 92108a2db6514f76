// What a test of a run is worth, over runs as different as runs are: it passes at once and forever, on any day, reaches
// nothing outside, and finds any constant that is changed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { apiKey } from "#e2e/support/address.ts";
import { get, patch, post } from "#e2e/support/api-client.ts";
import { createFlow, type TestExecution } from "#e2e/support/flows.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";
import { databaseUrlOf } from "#e2e/support/second-workspace.ts";
import { startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";
import { runToEnd, type VariedRun } from "#e2e/support/varied/varied-run.ts";
import { createEnvironment, variedRuns } from "#e2e/support/varied/varied-runs.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import { changedConstants } from "#lib/flows/tests/testing/changed-constants.ts";

inOwnWorkspace("Varied runs");

interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly results: readonly {
    readonly status: string;
    readonly problems: readonly { readonly path: string; readonly nodeId: string | null }[];
  }[];
}
interface Made {
  readonly id: string;
  readonly name: string;
  readonly trigger: unknown;
  readonly now: string;
  readonly recordings: unknown;
  readonly deep: boolean;
  readonly expect: { readonly status: string; readonly nodes: Readonly<Record<string, { readonly status: string }>> };
}

/** A test is repeated 100 times: by so many requests, over so many copies of it. */
const requests = 4;
const copies = 25;
/** The flows whose tests have passed so far, and those tests. */
const tested: { readonly flowId: string; readonly testId: string }[] = [];

const run = async (flowId: string, body: object = {}) => {
  const { status, data, text } = await post<Results>(`/flows/${flowId}/tests/run`, body);
  expect(status, text).toBe(200);
  return data;
};

/** For each constant of a node that ran, what a test finds when it is changed, where that is not this very node. */
async function overlooked(
  { nodes, edges, variables = {} }: VariedRun,
  flowId: string,
  { id: testId, expect: { nodes: expected } }: Made,
) {
  const missed: unknown[] = [];
  for (const mutant of changedConstants(nodes as unknown as FlowNode[])) {
    if ((expected[mutant.id]?.status ?? "skipped") === "skipped") continue;
    const { failed, results } = await run(flowId, {
      testIds: [testId],
      definition: { nodes: mutant.nodes, edges, variables },
    });
    const first = results[0]?.problems[0];
    if (failed === 1 && first?.nodeId === mutant.id && first.path.startsWith(`nodes.${mutant.id}.`)) continue;
    missed.push({ id: mutant.id, failed, first, changed: JSON.stringify(mutant.nodes) });
  }
  return missed;
}

/** Gives the flow this test so many times. */
async function copy(flowId: string, { name, trigger, now, recordings, deep, expect: expected }: Made): Promise<void> {
  const document = { name, trigger, now, recordings, deep, expect: expected };
  const { status, text } = await patch(`/flows/${flowId}`, { tests: Array.from({ length: copies }, () => document) });
  expect(status, text).toBe(200);
}

describe("a test of a run", () => {
  test.each(Object.entries(variedRuns))("%s", async (_, describeRun) => {
    const environment = await createEnvironment();
    const varied = describeRun(environment);
    const { nodes, edges, variables = {}, trigger, deep } = varied;
    const flow = await createFlow({ nodes, edges, variables, ...(trigger && { trigger }) });
    const { id, status } = await runToEnd(varied, flow);
    const runs = async () => (await get<TestExecution[]>(`/executions?flowId=${flow.id}&limit=1`)).pagination.total;
    const before = [environment.service.received.length, await runs()];
    const made = await post<Made>(`/flows/${flow.id}/tests`, { fromExecutionId: id, ...(deep && { deep }) });
    expect([made.status, made.text]).toEqual([201, made.text]);
    expect(made.data.expect.status).toBe(status);
    const { passed, results } = await run(flow.id);
    expect([passed, results[0]?.problems]).toEqual([1, []]);
    expect(await overlooked(varied, flow.id, made.data)).toEqual([]);
    await copy(flow.id, made.data);
    for (let turn = 0; turn < requests; turn += 1) {
      const again = (await run(flow.id)).results.map((result) => ({ ...result, testId: made.data.id }));
      expect(again).toEqual(Array.from({ length: copies }, () => results[0]));
    }
    expect([environment.service.received.length, await runs()]).toEqual(before);
    tested.push({ flowId: flow.id, testId: made.data.id });
  });

  test("passes on another day, in another time zone, by another process", async () => {
    const { dataDir = "" } = inject("server");
    const secret = (name: string) => readFileSync(join(dataDir, name), "utf8").trim();
    const tomorrow =
      "data:text/javascript,const d=Date,n=Date.now;globalThis.Date=new Proxy(d,{construct:(t,a,o)=>Reflect.construct(t,a.length?a:[n()+86400000],o),get:(t,k)=>k==='now'?()=>n()+86400000:t[k]})";
    const other = await startServer({
      env: {
        ...{ DATABASE_URL: databaseUrlOf(dataDir), TZ: "Pacific/Kiritimati", NODE_OPTIONS: `--import="${tomorrow}"` },
        ...{ AUTH_SECRET: secret("auth-secret"), ENCRYPTION_KEY: secret("encryption-key") },
      },
    });
    try {
      const client = new ServerClient({ url: other.url, apiKey: apiKey() });
      for (const { flowId, testId } of tested) {
        const { data } = await client.call<Results>("POST", `/flows/${flowId}/tests/run`, { testIds: [testId] });
        expect(data).toMatchObject({ passed: 1, failed: 0, results: [{ problems: [] }] });
      }
    } finally {
      await other.stop();
    }
  });
});
