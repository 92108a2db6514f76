import { dehydrate, hydrate, QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { inOwnTime } from "./page-answers.tsx";

const now = Date.now();
const hourMs = 3_600_000;

/** When the browser takes the data to be from, if the server's clock is `aheadMs` ahead. */
function takenFrom(aheadMs: number): number | undefined {
  const server = new QueryClient();
  server.setQueryData(["runs"], ["a run"], { updatedAt: now + aheadMs });
  const browser = new QueryClient();
  hydrate(browser, inOwnTime(dehydrate(server), now));
  expect(browser.getQueryData(["runs"])).toEqual(["a run"]);
  return browser.getQueryState(["runs"])?.dataUpdatedAt;
}

test("data from a server whose clock is ahead is as fresh as data of now", () => {
  expect(takenFrom(hourMs)).toBe(now);
});

test("data from a server whose clock is behind is read again", () => {
  expect(takenFrom(-hourMs)).toBe(now - hourMs);
});
