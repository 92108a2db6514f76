// What a backtest says of a change is what really running both versions shows, with a service that answers the same request
// always in the same way; it is unknown only where another request is sent.
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { get, post } from "#e2e/support/api-client.ts";
import { type CountingServer, countingServer, type Received } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow, edge, node, type TestExecution, transform } from "#e2e/support/flows.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";
import {
  type Change,
  calls,
  type Definition,
  decidedAnswer,
  orderChanges,
  orderFlow,
  parcelChanges,
  parcelFlow,
} from "#e2e/support/varied/changed-flows.ts";

inOwnWorkspace("Backtests and real runs");

interface ComparedRun {
  readonly executionId: string;
  readonly verdict: string;
  readonly first: { readonly nodeId: string | null; readonly path: string } | null;
}
interface Backtest {
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly runs: readonly ComparedRun[];
}

/** What others see of a run. */
interface Seen {
  readonly executionId: string;
  readonly status: string;
  readonly output: unknown;
  readonly answer: unknown;
  readonly failure: unknown;
  readonly requests: readonly string[];
}

const shown = ({ method, url, headers, body }: Received) => `${method} ${url} ${headers["x-new"] ?? ""} ${body}`;

/** Really runs a version over all calls, one after the other: each by its trigger URL, as callers do. */
async function reallyRun(definition: Definition, service: CountingServer): Promise<{ id: string; seen: Seen[] }> {
  const flow = await createFlow({ ...definition, status: "active", trigger: { type: "webhook", config: {} } });
  const seen: Seen[] = [];
  for (const body of calls) {
    const before = service.received.length;
    const options = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(flow.trigger.config.url, options);
    const executionId = answer.headers.get("x-execution-id") ?? "";
    const { data: run } = await get<TestExecution>(`/executions/${executionId}`);
    const requests = service.received.slice(before).map(shown).toSorted();
    const { status, output, error } = run;
    seen.push({
      ...{ executionId, status, output: status === "completed" ? output : null, requests },
      ...{ answer: status === "completed" ? answer.status : null, failure: error?.message },
    });
  }
  return { id: flow.id, seen };
}

/** What running both versions shows. */
function verdictOf(before: Seen, after: Seen): string {
  if (before.status !== after.status) return after.status === "completed" ? "mended" : "broken";
  const of = ({ executionId: _, ...rest }: Seen) => rest;
  return isDeepStrictEqual(of(before), of(after)) ? "same" : "changed";
}

/** Whether the second run sent what the first one did not send. */
const sentMore = (before: Seen, after: Seen) => after.requests.some((request) => !before.requests.includes(request));

async function backtest(flowId: string, definition: Definition): Promise<Backtest> {
  const { data: made } = await post<{ backtestId: string }>(`/flows/${flowId}/backtests`, {
    definition,
    last: calls.length,
  });
  return await eventually("the backtest ends", async () => {
    const { data } = await get<Backtest>(`/flows/${flowId}/backtests/${made.backtestId}?limit=100`);
    return data.status === "running" ? undefined : data;
  });
}

async function compareAll(definition: Definition, changes: Readonly<Record<string, Change>>, service: CountingServer) {
  const before = await reallyRun(definition, service);
  const verdicts = new Set<string>();
  for (const [name, { to, first, sends, readsFailure }] of Object.entries(changes)) {
    const calledBefore = service.received.length;
    const report = await backtest(before.id, to);
    expect([name, service.received.length, report.runs.length]).toEqual([name, calledBefore, calls.length]);
    const after = await reallyRun(to, service);
    for (const [index, seen] of before.seen.entries()) {
      const now = after.seen[index] as Seen;
      const run = report.runs.find(({ executionId }) => executionId === seen.executionId);
      const isUnknowable = readsFailure === true && seen.status === "failed" && /answered 4/.test(String(seen.failure));
      const truth = isUnknowable || sentMore(seen, now) ? "unknown" : verdictOf(seen, now);
      const firsts: (string | null)[] = sentMore(seen, now) && sends !== undefined ? [first, sends] : [first];
      const isNamed =
        truth === "same" || (isUnknowable ? run?.first === null : firsts.includes(run?.first?.nodeId ?? null));
      const here = { name, call: calls[index], verdict: run?.verdict };
      if (run?.verdict !== truth || !isNamed) expect({ ...here, seen, now, run }).toEqual({ ...here, truth, first });
      verdicts.add(run?.verdict ?? "");
    }
  }
  return verdicts;
}

describe("a backtest says what really running both versions shows", () => {
  test("of a flow with branches, refusals and an answer", { timeout: 240_000 }, async () => {
    const service = await countingServer(decidedAnswer);
    const verdicts = await compareAll(orderFlow(service.url), orderChanges(service.url), service);
    expect([...verdicts].toSorted()).toEqual(["broken", "changed", "mended", "same", "unknown"]);
  });

  test("of a flow with a loop, a wait and another flow", { timeout: 240_000 }, async () => {
    const service = await countingServer(decidedAnswer);
    const ask = node("ask", "http-request", {
      method: "POST",
      url: `${service.url}/price`,
      body: "{{ $trigger.body }}",
    });
    const child = await createFlow({
      nodes: [ask, transform("double", "$node.output.body.price * 2")],
      edges: [edge("ask", "double")],
    });
    const changes = parcelChanges(service.url, child.id);
    await compareAll(parcelFlow(service.url, child.id), changes, service);
  });
});
