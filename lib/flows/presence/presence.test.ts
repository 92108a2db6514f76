import { beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { enterFlow as enterFlowEndpoint, presenceLimits } from "#lib/contract/flows/presence.ts";
import { AppError } from "#lib/errors.ts";
import { storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { database, pool, query } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { enterFlow, followPresence, leaveFlow } from "./follow-presence.ts";
import { readPresence } from "./read-presence.ts";

let key: Actor;

inOwnDatabase();
beforeAll(async () => {
  key = await newActor();
});

async function member(name: string, workspaceId = key.workspaceId): Promise<Actor> {
  const id = newId("user");
  await database().user.create({ data: { id, email: `${id}@example.com`, name } });
  await database().membership.create({ data: { userId: id, workspaceId, role: "editor" } });
  return { ...key, workspaceId, by: { kind: "user", id, role: "editor", sessionId: "s" } };
}
const newFlow = async () => (await storedFlow(key)).id;
const tab = (at: number) => `tab-${String(at).padStart(6, "0")}`;
const enter = (actor: Actor, flow: string, name = tab(0), selection: string[] = [], within: string | null = null) =>
  enterFlow(actor, flow, { tab: name, selection, within });
/** Ages the tab's last request. */
const age = (seconds: number) =>
  query("age", "UPDATE flow_presence SET seen_at = seen_at - make_interval(secs => $1)", [seconds]);
const there = async (flow: string) =>
  (await readPresence(flow))?.people.map(({ name, selection }) => [name, ...selection]);
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error) => (error instanceof AppError ? error.code : String(error)),
  );

describe("presence", () => {
  test("lists the tabs in a flow, in the order in which they came, with their selections", async () => {
    const flow = await newFlow();
    const [ana, bo] = [await member("Ana"), await member("Bo")];
    await enter(ana, flow, tab(1), ["a"]);
    await enter(bo, flow, tab(1), ["b", "c\u0000\ud800"]);
    expect(await there(flow)).toEqual([
      ["Ana", "a"],
      ["Bo", "b", "c\u0000\ud800"],
    ]);
    await age(1);
    await enter(ana, flow, tab(1), ["z"]);
    expect(await there(flow)).toEqual([
      ["Ana", "z"],
      ["Bo", "b", "c\u0000\ud800"],
    ]);
  });

  test("tells which loop's body each tab has open", async () => {
    const flow = await newFlow();
    const [ana, bo] = [await member("Ana"), await member("Bo")];
    const levels = async () => (await readPresence(flow))?.people.map(({ within }) => within);
    await enter(ana, flow, tab(1), [], "loop \u0000\ud800");
    await enter(bo, flow, tab(1), ["a"]);
    expect(await levels()).toEqual(["loop \u0000\ud800", null]);
    await age(1);
    await enter(ana, flow, tab(1));
    expect(await levels()).toEqual([null, null]);
  });

  test("ends with the lease, and starts again with the next request", async () => {
    const flow = await newFlow();
    const [ana, bo] = [await member("Ana"), await member("Bo")];
    await enter(ana, flow);
    await age(1);
    await enter(bo, flow);
    await age(14.5);
    expect(await there(flow)).toEqual([["Bo"]]);
    await enter(ana, flow);
    expect(await there(flow)).toEqual([["Bo"], ["Ana"]]);
  });

  test("ends at once when a tab leaves, or goes to another flow", async () => {
    const [flow, other] = [await newFlow(), await newFlow()];
    const ana = await member("Ana");
    for (const at of [1, 2, 3]) await enter(ana, flow, tab(at), [String(at)]);
    await leaveFlow(ana, flow, tab(2));
    await age(1);
    await enter(ana, other, tab(3));
    expect([await there(flow), await there(other)]).toEqual([[["Ana", "1"]], [["Ana"]]]);
    await leaveFlow(ana, flow, tab(3));
    await leaveFlow(ana, flow, undefined);
    expect([await there(flow), await there(other)]).toEqual([[], [["Ana"]]]);
  });

  test("lists members only, and nobody can end another's presence", async () => {
    const flow = await newFlow();
    const [ana, bo] = [await member("Ana"), await member("Bo")];
    await enter(ana, flow);
    await leaveFlow(bo, flow, tab(0));
    expect(await there(flow)).toEqual([["Ana"]]);
    await database().membership.deleteMany({ where: { userId: ana.by.id } });
    expect(await there(flow)).toEqual([]);
  });

  test("excludes API keys and other workspaces", async () => {
    const flow = await newFlow();
    const outsider = await member("Out", (await newActor()).workspaceId);
    for (const [actor, code] of [
      [key, "FORBIDDEN"],
      [outsider, "NOT_FOUND"],
    ] as const) {
      expect(await codeOf(enter(actor, flow))).toBe(code);
      expect(await codeOf(leaveFlow(actor, flow, undefined))).toBe(code);
      expect(await codeOf(followPresence(actor, flow, new AbortController().signal).next())).toBe(code);
    }
    expect(await there(flow)).toEqual([]);
  });
});

describe("bounds", () => {
  test("a tab's requests are limited, even if it sends two at once", async () => {
    const flow = await newFlow();
    const ana = await member("Ana");
    // On a busy machine, a new connection takes longer than the time between two requests.
    const connections = await Promise.all([1, 2, 3, 4].map(() => pool().connect()));
    for (const connection of connections) connection.release();
    const codes = await Promise.all([1, 2, 3, 4].map((at) => codeOf(enter(ana, flow, tab(0), [String(at)]))));
    expect(codes.filter((code) => code === "none").length).toBe(1);
    expect(codes.filter((code) => code === "RATE_LIMIT_EXCEEDED").length).toBe(3);
  });

  test("a request under a clock that was ahead neither locks anybody out nor keeps them listed", async () => {
    const flow = await newFlow();
    const ana = await member("Ana");
    await enter(ana, flow);
    await age(-3_600);
    expect(await there(flow)).toEqual([]);
    await enter(ana, flow, tab(0), ["now"]);
    expect(await there(flow)).toEqual([["Ana", "now"]]);
  });

  test("a person's latest tabs are kept, and no expired leases", async () => {
    const flow = await newFlow();
    const ana = await member("Ana");
    for (let index = 0; index < presenceLimits.tabsOfPersonMax + 5; index += 1) {
      await enter(ana, flow, tab(index), [String(index)]);
      // Keeps two from sharing a millisecond.
      await age(0.01);
    }
    const times = (await there(flow))?.map(([, at]) => Number(at));
    expect(times).toEqual(Array.from({ length: presenceLimits.tabsOfPersonMax }, (_, index) => index + 5));
    await age(60);
    await enter(ana, flow, tab(100));
    expect(await database().flowPresence.count({ where: { userId: ana.by.id } })).toBe(1);
  });

  test("a limited number is listed, and the others are counted", async () => {
    const flow = await newFlow();
    for (let person = 0; person < 3; person += 1) {
      const actor = await member(`P${person}`);
      for (let index = 0; index < presenceLimits.tabsOfPersonMax; index += 1) await enter(actor, flow, tab(index));
    }
    const { people, others } = (await readPresence(flow)) ?? { people: [], others: 0 };
    expect([people.length, others]).toEqual([presenceLimits.listedMax, 10]);
  });

  test.each([
    [{ tab: "short" }, "tab must be 8 to 40 letters, digits, - and _"],
    [{ tab: "with\u0000 zero" }, "tab must be 8 to 40 letters, digits, - and _"],
    [{ tab: 7 }, "tab must be a text"],
    [{ tab: tab(0), selection: "a" }, "selection must be a list of ids"],
    [{ tab: tab(0), selection: Array(101).fill("a") }, "selection must have at most 100 ids"],
    [{ tab: tab(0), within: ["a"] }, "within must be a loop's id"],
    [{ tab: tab(0), within: "" }, "within must not be empty"],
    [{ tab: tab(0), within: "x".repeat(256) }, "within must have at most 255 characters"],
    [{ tab: tab(0), selection: ["x".repeat(256)] }, "an id must have at most 255 characters"],
    [{ tab: tab(0), selection: Array(50).fill("é".repeat(50)) }, "selection must have at most 4000 bytes as JSON"],
  ])("%j is refused", (body, message) => {
    const parsed = enterFlowEndpoint.body.safeParse(body);
    expect(parsed.error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});

describe("a stream", () => {
  test("starts with the current state, then has each change once", async () => {
    const flow = await newFlow();
    const [ana, bo] = [await member("Ana"), await member("Bo")];
    await enter(ana, flow);
    const closed = new AbortController();
    const events = followPresence(bo, flow, closed.signal);
    const next = async () => (await events.next()).value;
    const first = await next();
    expect(first).toMatchObject({ id: 1, event: "presence", data: { people: [{ name: "Ana" }], others: 0 } });
    const second = next();
    await age(1);
    // A heartbeat without changes sends no event.
    await enter(ana, flow);
    await enter(bo, flow, tab(1), ["a"]);
    expect(await second).toMatchObject({
      id: 2,
      data: { people: [{ name: "Ana" }, { name: "Bo", selection: ["a"] }] },
    });
    const third = next();
    // Opening a loop's body is a change too, even if nothing is selected there.
    await age(1);
    await enter(bo, flow, tab(1), ["a"], "loop");
    expect((await third)?.data.people[1]).toMatchObject({ selection: ["a"], within: "loop" });
    const fourth = next();
    await query("touch", "UPDATE flow SET version = version + 1 WHERE id = $1", [flow]);
    expect((await fourth)?.data.saved.version).toBe((first?.data.saved.version ?? 0) + 1);
    const fifth = next();
    // An expiring lease is noticed without a request.
    await age(16);
    expect((await fifth)?.data.people).toEqual([]);
    closed.abort();
    expect(await next()).toBeUndefined();
  });

  test("ends with the flow", async () => {
    const flow = await newFlow();
    const events = followPresence(await member("Ana"), flow, new AbortController().signal);
    await events.next();
    const end = events.next();
    await database().flow.delete({ where: { id: flow } });
    expect(await end).toEqual({ done: true, value: undefined });
  });

  test("shares its reads between concurrent followers", async () => {
    const flows = [await newFlow(), await newFlow()];
    const all = await Promise.all([...flows, ...flows].map(readPresence));
    expect(all[0]).toBe(all[2]);
    expect(all[1]).toBe(all[3]);
    expect(await readPresence("flow_missing")).toBeUndefined();
  });
});
