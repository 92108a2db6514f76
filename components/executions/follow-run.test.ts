import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Api } from "#components/api/use-api.ts";
import { ApiError } from "#lib/contract/client.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { applyRunEvent, followRun, keepCurrent, type RunEvent, withWaitingOf } from "./follow-run.ts";
import { runQueries } from "./run-queries.ts";

/** The parts of the browser's EventSource that are used. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static last: FakeEventSource;
  readyState = 1;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.last = this;
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  send(event: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  }

  refuse(): void {
    this.close();
    this.dispatchEvent(new Event("error"));
  }
}

const node = (nodeId: string, status: "pending" | "running" | "completed") => ({
  nodeId,
  nodeName: nodeId,
  type: "log",
  status,
  startedAt: null,
  completedAt: null,
  duration: null,
});
const run = (status: ShownExecution["status"], logs?: ShownExecution["logs"]) =>
  ({
    id: "exec_1",
    status,
    nodes: [node("a", "running"), node("b", "pending")],
    ...(logs && { logs }),
  }) as ShownExecution;
const entry = (id: string) => ({ id, timestamp: "", level: "info" as const, nodeId: null, message: id });

let received: RunEvent[];
let answers: (ShownExecution | Error)[];
const api = {
  url: () => "/stream",
  call: async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  },
} as unknown as Api;
const follow = () => followRun(api, "exec_1", (event) => received.push(event));
const brief = () => received.map(({ event, data }) => ("status" in data ? data.status : `${event} ${data.id}`));

beforeEach(() => {
  received = [];
  answers = [];
  vi.stubGlobal("EventSource", FakeEventSource);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a followed run", () => {
  test("is reported event by event until it ends", () => {
    follow();
    const { last: source } = FakeEventSource;
    source.send("execution", run("running"));
    source.send("log", entry("1"));
    source.send("node", node("a", "completed"));
    expect(source.readyState).toBe(1);
    source.send("execution", run("completed"));
    expect(brief()).toEqual(["running", "log 1", "completed", "completed"]);
    expect(source.readyState).toBe(FakeEventSource.CLOSED);
  });

  test("is polled every two seconds if streams are blocked, with each log entry reported once", async () => {
    answers = [run("running", [entry("1")]), new TypeError("away"), run("completed", [entry("1"), entry("2")])];
    follow();
    FakeEventSource.last.refuse();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(brief()).toEqual(["log 1", "running", "log 2", "completed"]);
    expect(answers).toEqual([]);
  });

  test("is not requested again after a refusal, or once nobody follows it", async () => {
    answers = [new ApiError(404, "NOT_FOUND", "", {}, null), run("running")];
    follow();
    FakeEventSource.last.refuse();
    await vi.advanceTimersByTimeAsync(10_000);
    const stop = follow();
    FakeEventSource.last.refuse();
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(received).toEqual([]);
  });
});

describe("the displayed run", () => {
  test("shows node changes, and a log without duplicates", () => {
    const events: RunEvent[] = [
      { event: "execution", data: run("running") },
      { event: "log", data: entry("1") },
      { event: "node", data: node("a", "completed") },
      { event: "log", data: entry("1") },
      { event: "log", data: entry("2") },
    ];
    const shown = events.reduce<ShownExecution | undefined>(applyRunEvent, undefined);
    expect(shown?.nodes.map(({ status }) => status)).toEqual(["completed", "pending"]);
    expect(shown?.logs?.map(({ id }) => id)).toEqual(["1", "2"]);
    expect(applyRunEvent(shown, { event: "execution", data: run("completed") })?.logs).toHaveLength(2);
  });

  test("takes the waits of events, and those of reads only for nodes that still run", () => {
    const waiting = (status: "running" | "completed") => ({ ...node("a", status), waitingFor: "approval" as const });
    const read = { ...run("running"), waitingFor: "approval" as const, nodes: [waiting("running")] };
    const updated = applyRunEvent(run("running"), { event: "node", data: waiting("running") });
    expect(updated?.nodes[0]?.waitingFor).toBe("approval");
    const woken = applyRunEvent(updated, { event: "node", data: node("a", "running") });
    expect(woken?.nodes[0]?.waitingFor).toBeUndefined();
    const done = applyRunEvent(updated, { event: "node", data: node("a", "completed") });
    expect(done?.nodes[0]?.waitingFor).toBeUndefined();
    if (done === undefined) throw new Error("the run is gone");
    const merged = withWaitingOf(done, read);
    expect(merged.nodes[0]).toMatchObject({ status: "completed", waitingFor: undefined });
    expect(withWaitingOf({ ...run("running"), nodes: [node("a", "running")] }, read)).toMatchObject({
      waitingFor: "approval",
      nodes: [{ waitingFor: "approval" }],
    });
  });

  test("is empty until the run itself arrives", () => {
    expect(applyRunEvent(undefined, { event: "log", data: entry("1") })).toBeUndefined();
  });
});

describe("a run in the cache", () => {
  const key = ["runs", "one", "exec_1"];
  const statuses = (queries: QueryClient) =>
    queries.getQueryData<ShownExecution>(key)?.nodes.map(({ status }) => status);

  test("is not overwritten by a late response to a read that began before its events", async () => {
    const late = Promise.withResolvers<ShownExecution>();
    const slow = { ...api, call: () => late.promise } as unknown as Api;
    const queries = new QueryClient();
    queries.setQueryData(key, run("running"));
    const stop = keepCurrent(queries, slow, "exec_1");
    const read = queries.fetchQuery({ ...runQueries.one(slow, "exec_1"), staleTime: 0 }).catch(() => "dropped");
    FakeEventSource.last.send("node", node("a", "completed"));
    late.resolve(run("running"));
    expect(await read).toBe("dropped");
    expect(statuses(queries)).toEqual(["completed", "pending"]);
    stop();
  });

  test("is read again once it has ended, when its log is complete", async () => {
    answers = [run("completed", [entry("1"), entry("2")])];
    const queries = new QueryClient();
    queries.setQueryData(key, run("running", [entry("2")]));
    const observer = new QueryObserver(queries, { ...runQueries.one(api, "exec_1"), staleTime: 60_000 });
    const unsubscribe = observer.subscribe(() => {});
    const stop = keepCurrent(queries, api, "exec_1");
    FakeEventSource.last.send("execution", run("completed"));
    await vi.advanceTimersByTimeAsync(100);
    expect(queries.getQueryData<ShownExecution>(key)?.logs?.map(({ id }) => id)).toEqual(["1", "2"]);
    stop();
    unsubscribe();
  });
});
