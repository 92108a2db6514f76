import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Api } from "#components/api/use-api.ts";
import { RunWatch } from "./run-watch.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("cancelAnimationFrame", () => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function watchOf(latest: () => Promise<string>) {
  const callList = vi.fn(async () => ({ items: [{ id: await latest() }] }));
  return { callList, runs: new RunWatch({ callList } as unknown as Api, "flow_1") };
}

test("listening ends with the visit, even while it is asking", async () => {
  let gate = Promise.withResolvers<string>();
  const { callList, runs } = watchOf(() => gate.promise);
  const begun = runs.listen();
  gate.resolve("exec_1");
  await begun;
  gate = Promise.withResolvers();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(callList).toHaveBeenCalledTimes(2);
  runs.stop();
  gate.resolve("exec_1");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(callList).toHaveBeenCalledTimes(2);
});

test("listening that was ended before it began does not begin", async () => {
  const gate = Promise.withResolvers<string>();
  const { runs } = watchOf(() => gate.promise);
  const begun = runs.listen();
  runs.clear();
  gate.resolve("exec_1");
  await begun;
  expect(runs.store.getState().listening).toBe(false);
});
