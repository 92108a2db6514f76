import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Api } from "#components/api/use-api.ts";
import { ApiError } from "#lib/contract/client.ts";
import { PresenceLink, withinLimits } from "./presence-link.ts";

/** The parts of the browser's EventSource that are used. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static readonly all: FakeEventSource[] = [];
  readyState = 1;

  constructor() {
    super();
    FakeEventSource.all.push(this);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  tell(...people: object[]): void {
    const data = { you: "me", people, others: 0, saved: { version: 1, updatedAt: "then", revision: 0 } };
    this.dispatchEvent(new MessageEvent("presence", { data: JSON.stringify(data) }));
  }
}

interface Call {
  readonly name: string;
  readonly tab: string;
  readonly selection?: readonly string[];
  readonly within?: string | null;
}

let calls: Call[];
let fault: Error | null;
let page: EventTarget & { visibilityState: string };
let frame: EventTarget;
let network: { onLine: boolean };
let link: PresenceLink;

const api = {
  url: () => "/presence",
  call: async (
    name: string,
    { body, query }: { body?: { tab: string; selection: string[]; within: string | null }; query?: { tab: string } },
  ) => {
    calls.push({ name, tab: body?.tab ?? query?.tab ?? "", ...body });
    if (fault !== null) throw fault;
    return null;
  },
} as unknown as Api;

beforeEach(() => {
  vi.useFakeTimers();
  [calls, fault, network] = [[], null, { onLine: true }];
  FakeEventSource.all.length = 0;
  page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  frame = new EventTarget();
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", frame);
  vi.stubGlobal("navigator", network);
  vi.stubGlobal("EventSource", FakeEventSource);
  link = new PresenceLink(api, "flow_1");
  link.start();
});
afterEach(() => {
  link.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const entered = () => calls.filter(({ name }) => name === "enterFlow");
const names = () => link.store.getState().people?.map(({ name }) => name) ?? null;
const source = () => FakeEventSource.all.at(-1) as FakeEventSource;
const ana = { tab: "tab-of-ana", userId: "ana", name: "Ana", selection: ["a"], within: null };
const turn = (visibilityState: string) => {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event("visibilitychange"));
};

test("a visit announces itself, listens once acknowledged, and renews its lease", async () => {
  await pass(0);
  expect(entered()).toHaveLength(1);
  expect(entered()[0]?.tab).toMatch(/^[0-9a-f]{24}$/);
  source().tell(ana);
  expect(names()).toEqual(["Ana"]);
  await pass(15_000);
  expect(entered()).toHaveLength(4);
  expect(FakeEventSource.all).toHaveLength(1);
});

test("a selection is sent soon, and a fast-moving one is throttled", async () => {
  await pass(0);
  for (let index = 0; index < 100; index += 1) {
    link.select([`n${index}`]);
    await pass(10);
  }
  await pass(300);
  expect(entered().length).toBeLessThanOrEqual(6);
  expect(entered().at(-1)?.selection).toEqual(["n99"]);
});

test("others are hidden while their state is unknown: offline, unanswered, in the background", async () => {
  await pass(0);
  source().tell(ana);
  network.onLine = false;
  frame.dispatchEvent(new Event("offline"));
  expect([names(), source().readyState]).toEqual([null, FakeEventSource.CLOSED]);
  network.onLine = true;
  frame.dispatchEvent(new Event("online"));
  await pass(300);
  source().tell(ana);
  expect(names()).toEqual(["Ana"]);

  fault = new TypeError("fetch failed");
  await pass(5_000);
  expect(names()).toBeNull();
  fault = null;
  await pass(5_000);
  source().tell(ana);
  expect(names()).toEqual(["Ana"]);

  turn("hidden");
  expect([names(), source().readyState]).toEqual([null, FakeEventSource.CLOSED]);
  const before = entered().length;
  await pass(60_000);
  expect(entered()).toHaveLength(before);
  turn("visible");
  await pass(0);
  expect(entered()).toHaveLength(before + 1);
});

test("an unresponsive server is asked only once per heartbeat, whatever is selected", async () => {
  await pass(0);
  fault = new TypeError("fetch failed");
  link.select(["a"]);
  await pass(10_300);
  expect(entered().length).toBeLessThanOrEqual(4);
});

test("a broken connection is checked at once, and its state is kept while the server answers", async () => {
  await pass(0);
  source().tell(ana);
  await pass(1_000);
  source().dispatchEvent(new Event("error"));
  await pass(0);
  expect([entered().length, names()]).toEqual([2, ["Ana"]]);
  fault = new TypeError("fetch failed");
  source().dispatchEvent(new Event("error"));
  await pass(300);
  expect(names()).toBeNull();
});

test("a refusal ends the visit, a rate limit does not", async () => {
  await pass(0);
  source().tell(ana);
  fault = new ApiError(429, "RATE_LIMIT_EXCEEDED", "too fast", {}, null);
  await pass(5_000);
  expect(names()).toEqual(["Ana"]);
  fault = new ApiError(404, "NOT_FOUND", "gone", {}, null);
  await pass(5_000);
  expect(names()).toBeNull();
  const before = entered().length;
  await pass(60_000);
  expect(entered()).toHaveLength(before);
});

test("leaving the page sends a farewell, and a new visit has a new name", async () => {
  await pass(0);
  frame.dispatchEvent(new Event("pagehide"));
  const [first] = entered();
  expect(calls.at(-1)).toEqual({ name: "leaveFlow", tab: first?.tab });
  link.stop();
  link.start();
  await pass(300);
  expect(entered().at(-1)?.tab).not.toBe(first?.tab);
});

test("following ends when the followed person leaves", async () => {
  await pass(0);
  source().tell(ana);
  link.follow("ana");
  source().tell({ ...ana, selection: ["b"] });
  expect(link.store.getState().following).toBe("ana");
  source().tell();
  expect(link.store.getState().following).toBeNull();
});

test("opening a loop's body is announced, whether or not anything is selected there", async () => {
  await pass(0);
  link.select([], "loop");
  await pass(300);
  expect(entered().at(-1)).toMatchObject({ selection: [], within: "loop" });
  link.select([]);
  await pass(300);
  expect(entered().at(-1)).toMatchObject({ selection: [], within: null });
});

test("following leads to the followed person's level, and ends when one goes elsewhere", async () => {
  await pass(0);
  source().tell(ana);
  expect(link.lead()).toBeUndefined();
  link.follow("ana");
  expect(link.lead()).toBeUndefined();
  source().tell({ ...ana, selection: [], within: "loop" });
  expect(link.lead()).toBe("loop");
  // They go on before this page gets there.
  source().tell({ ...ana, selection: [], within: "inner" });
  link.select([], "loop");
  expect([link.store.getState().following, link.lead()]).toEqual(["ana", "inner"]);
  link.select([], "inner");
  expect(link.lead()).toBeUndefined();
  source().tell(ana);
  expect(link.lead()).toBeNull();
  link.select([]);
  expect(link.store.getState().following).toBe("ana");
  link.select([], "another");
  expect([link.store.getState().following, link.lead()]).toEqual([null, undefined]);
});

test("a large selection is cut to what the service accepts", () => {
  expect(withinLimits(Array(150).fill("a"))).toHaveLength(100);
  const long = withinLimits(Array(50).fill("é".repeat(250)));
  expect(new TextEncoder().encode(JSON.stringify(long)).length).toBeLessThanOrEqual(4_000);
  expect(long).toHaveLength(7);
});
