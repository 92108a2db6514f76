import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { cacheNewAnswers } from "./page-answers.tsx";

const now = Date.now();
const hourMs = 3_600_000;
const queryKey = ["runs"];

/** When the browser takes an answer to be from, if the server's clock is `aheadMs` ahead. */
function takenFrom(aheadMs: number): number | undefined {
  const queries = new QueryClient();
  expect(cacheNewAnswers(queries, [{ queryKey, data: ["a run"], updatedAt: now + aheadMs }], now)).toEqual([]);
  expect(queries.getQueryData(queryKey)).toEqual(["a run"]);
  return queries.getQueryState(queryKey)?.dataUpdatedAt;
}

test("an answer from a server whose clock is ahead is as fresh as one of now", () => {
  expect(takenFrom(hourMs)).toBe(now);
});

test("an answer from a server whose clock is behind is read again", () => {
  expect(takenFrom(-hourMs)).toBe(now - hourMs);
});

test("an answer to a query that has one is left for when the page is shown", () => {
  const queries = new QueryClient();
  queries.setQueryData(queryKey, ["an older run"]);
  const answer = { queryKey, data: ["a run"], updatedAt: now };
  expect(cacheNewAnswers(queries, [answer], now)).toEqual([answer]);
  expect(queries.getQueryData(queryKey)).toEqual(["an older run"]);
});
