import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SearchSlots } from "./search-slots.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A search that runs until it is ended. */
function searching(slots: SearchSlots, workspaceId: string) {
  const search = { isUnderWay: false, end: () => {}, ended: Promise.resolve() };
  const work = () => {
    search.isUnderWay = true;
    return new Promise<void>((resolve) => {
      search.end = resolve;
    });
  };
  search.ended = slots.use(workspaceId, work);
  return search;
}
const settle = () => vi.advanceTimersByTimeAsync(0);

test("at most two per workspace and four in total run, and the next starts when a slot is free", async () => {
  const slots = new SearchSlots();
  const all = ["a", "a", "a", "b", "c", "d"].map((workspaceId) => searching(slots, workspaceId));
  const inProgress = () => all.map(({ isUnderWay }) => isUnderWay);
  await settle();
  expect(inProgress()).toEqual([true, true, false, true, true, false]);
  all[4]?.end();
  await settle();
  expect(inProgress()).toEqual([true, true, false, true, true, true]);
  all[0]?.end();
  await settle();
  expect(inProgress()).toEqual([true, true, true, true, true, true]);
});

test("one that waits for five seconds is refused, and leaves the queue", async () => {
  const slots = new SearchSlots();
  const all = ["a", "a", "a", "a"].map((workspaceId) => searching(slots, workspaceId));
  const refused = all.slice(2).map(({ ended }) => expect(ended).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" }));
  await vi.advanceTimersByTimeAsync(5_000);
  await Promise.all(refused);
  all[0]?.end();
  await settle();
  const next = searching(slots, "a");
  await settle();
  expect(next.isUnderWay).toBe(true);
});

test("a failed search releases its slot", async () => {
  const slots = new SearchSlots();
  const failing = () => slots.use("a", () => Promise.reject(new Error("no")));
  for (let n = 0; n < 5; n += 1) await expect(failing()).rejects.toThrow("no");
});
