// Runs through Inngest from the event to the end, with the real SDK and an executor that replays like a real server.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { InngestServer } from "#e2e/support/inngest/inngest-server.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { nowMs, setClock } from "#lib/platform/clock.ts";
import { readDatabaseClock } from "#lib/platform/database/clock.ts";
import { database } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { worker } from "#lib/runtime/embedded/worker.ts";
import { dispatchRuns } from "./dispatch-runs.ts";
import { inngestHandlers, register } from "./serve-functions.ts";

const inngest = new InngestServer({ retryMs: 500 });
let app: Server;
let actor: Actor;
/** Ids of the nodes that have called, and what delays their answers. */
let called: string[] = [];
let hold: ((path: string) => Promise<void> | undefined) | undefined;

inOwnDatabase();
beforeAll(async () => {
  await inngest.start();
  app = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const headers = new Headers(request.headers as Record<string, string>);
    const method = request.method === "PUT" ? "PUT" : "POST";
    const given = new Request(`http://${request.headers.host}${request.url}`, { method, headers, body });
    const answer = await (inngestHandlers() ?? expect.fail("no handlers"))[method](given);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  Object.assign(process.env, { INNGEST_DEV: inngest.url, INNGEST_SERVE_ORIGIN: origin, PUBLIC_URL: origin });
  actor = await newActor();
  singleton("outside", () => ({
    sandbox: { run: () => Promise.reject(new Error("not needed here")) } as unknown as Outside["sandbox"],
    outbound: {
      send: async ({ url }: { url: string | URL }) => {
        const path = new URL(url).pathname.slice(1);
        called.push(path);
        await hold?.(path);
        return { status: 200, headers: {}, body: Buffer.from("") };
      },
    } as unknown as Outside["outbound"],
  }));
  worker();
  expect(await register()).toBeNull();
});
afterEach(() => {
  called = [];
  hold = undefined;
  inngest.answersLate = false;
  inngest.callsTwice = false;
});
afterAll(async () => {
  await worker().drain();
  await inngest.close();
  await new Promise((resolve) => app.close(resolve));
});

const call = (id: string) => node(id, "http-request", { url: `https://api.test/${id}`, method: "POST" });
const names = Array.from({ length: 50 }, (_, index) => `b${index}`);
const fanIn: readonly [FlowNode[], FlowEdge[]] = [
  [call("first"), ...names.map(call), call("join"), call("last")],
  [...names.flatMap((name) => [edge(`first -> ${name}`), edge(`${name} -> join`)]), edge("join -> last")],
];

async function start(nodes: readonly FlowNode[], edges: readonly FlowEdge[] = []): Promise<string> {
  const id = await storedExecution(await storedFlow(actor, nodes, edges));
  await dispatchRuns();
  return id;
}

async function ended(id: string) {
  return await eventually("the run ends", async () => {
    const row = await database().execution.findUniqueOrThrow({ where: { id } });
    return row.completedAt === null ? undefined : row;
  });
}

const functionRun = (id: string) => inngest.runsOf(id)[0] ?? expect.fail("Inngest has not begun it");
const functionEnded = (id: string) =>
  eventually("the function ends", () => (functionRun(id).status === "running" ? undefined : functionRun(id)), 60_000);

test("fifty joining branches continue although answers are late; each runs once, in few calls", async () => {
  inngest.answersLate = true;
  const id = await start(...fanIn);
  expect(await ended(id)).toMatchObject({ status: "completed", nodesExecuted: 53 });
  expect(called.toSorted()).toEqual(["first", ...names, "join", "last"].toSorted());
  const run = await functionEnded(id);
  expect([run.status, run.errors]).toEqual(["completed", []]);
  expect(run.calls).toBeLessThan(5);
  expect(run.ended.toSorted()).toEqual(called.toSorted());
});

test("a chain's steps have its nodes' names, and reveal little of their results", async () => {
  const id = await start([call("a"), call("b"), call("c")], [edge("a -> b"), edge("b -> c")]);
  await ended(id);
  const run = await functionEnded(id);
  expect(run.ended).toEqual(["a", "b", "c"]);
  for (const stepResult of run.kept.values()) expect(stepResult.length).toBeLessThan(100);
});

test("two concurrent calls run each node once", async () => {
  inngest.callsTwice = true;
  const id = await start([call("a"), call("b")], [edge("a -> b")]);
  expect((await ended(id)).status).toBe("completed");
  expect(called).toEqual(["a", "b"]);
});

test("a run still ends if its function's server stops half-way", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  hold = (path) => (path === "a" ? promise : undefined);
  const id = await start([call("a"), call("b")], [edge("a -> b")]);
  await eventually("it calls", () => (called.length > 0 ? true : undefined));
  await inngest.stop();
  resolve();
  expect((await ended(id)).status).toBe("completed");
  await inngest.start();
  expect(called).toEqual(["a", "b"]);
});

test("a delay is an Inngest sleep named after the node, and what follows runs afterwards", async () => {
  const id = await start(
    [call("a"), node("pause", "delay", { ms: 6_000 }), call("b")],
    [edge("a -> pause"), edge("pause -> b")],
  );
  await eventually(
    "it waits",
    () => ([...functionRun(id).names.values()].includes("pause (waiting)") ? true : undefined),
    20_000,
  );
  // Not until a time: this process's clock and Inngest's may differ.
  expect(functionRun(id).sleeps).toEqual([expect.stringMatching(/^\ds$/)]);
  const row = await database().execution.findUniqueOrThrow({ where: { id } });
  expect([row.status, row.leaseOwner]).toEqual(["running", null]);
  expect((await ended(id)).status).toBe("completed");
  expect(called).toEqual(["a", "b"]);
});

test("a call whose time is up continues in another at once, whatever Inngest's clock says", async () => {
  const now = performance.now();
  setClock(nowMs() - 3_600_000, now, now);
  // An hour passes in "a".
  hold = (path) => (path === "a" ? readDatabaseClock() : undefined);
  const id = await start([call("a"), call("b")], [edge("a -> b")]);
  expect((await ended(id)).status).toBe("completed");
  expect(functionRun(id).sleeps).toEqual([new Date(0).toISOString()]);
  expect(called).toEqual(["a", "b"]);
});

test("a node that fails is a failed step", async () => {
  hold = () => Promise.reject(new Error("refused"));
  const id = await start([call("a")]);
  expect((await ended(id)).status).toBe("failed");
  const run = await functionEnded(id);
  expect([...run.steps.values()].map(({ type }) => type)).toEqual(["error"]);
});
