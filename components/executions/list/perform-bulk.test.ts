import { expect, test, vi } from "vitest";
import { ApiError } from "#lib/contract/client.ts";
import { outcomeInWords, performBulk } from "./perform-bulk.ts";

const action = { name: "bulkDelete", past: "deleted", max: null } as const;
const answer = (done: number, remaining: number) => Promise.resolve({ matched: done + remaining, done, remaining });
const busy = new ApiError(503, "SERVICE_UNAVAILABLE", "The database cannot be reached", {}, null);

const perform = (...answers: Promise<unknown>[]) => {
  const call = vi.fn();
  for (const each of answers) call.mockReturnValueOnce(each);
  return performBulk({ call }, action, {});
};

test("all calls are one outcome", async () => {
  const outcome = await perform(answer(1_000, 200), answer(200, 0));
  expect(outcomeInWords(action, outcome)).toBe("1,200 runs were deleted.");
});

test("what was done before a call failed is said", async () => {
  const outcome = await perform(answer(1_000, 200), Promise.reject(busy));
  expect(outcomeInWords(action, outcome)).toBe(
    "1,000 runs were deleted; the others were not. The database cannot be reached. Wait a moment, then try again.",
  );
});

test("a refused call changed nothing", async () => {
  const outcome = await perform(Promise.reject(busy));
  expect(outcomeInWords(action, outcome)).toBe(
    "No run was deleted. The database cannot be reached. Wait a moment, then try again.",
  );
});

test("a call without an answer may have had its effect", async () => {
  vi.stubGlobal("navigator", { onLine: true });
  const why = "The server did not answer. Check that it is reachable.";
  const first = await perform(Promise.reject(new TypeError()));
  expect(outcomeInWords(action, first)).toBe(`The runs may have been deleted. ${why}`);
  const second = await perform(answer(1, 5), Promise.reject(new TypeError()));
  expect(outcomeInWords(action, second)).toBe(`1 run was deleted; others may have been as well. ${why}`);
});
