import { expect, test } from "vitest";
import { iterationsOnPage } from "#components/executions/run-queries.ts";
import { nextFailed } from "./use-items.ts";

test("the next failed item is found among thousands in a few pages, and after the last comes the first", async () => {
  const failed = Array.from({ length: 3_000 }, (_, index) => index * 3 + 1);
  let pages = 0;
  const read = async (page: number) => {
    pages += 1;
    return failed.slice((page - 1) * iterationsOnPage, page * iterationsOnPage);
  };
  const next = (after: number) => nextFailed(after, failed.length, read);
  expect([await next(0), await next(1), await next(75), await next(4_501)]).toEqual([1, 4, 76, 4_504]);
  expect([await next(8_998), await next(9_500)]).toEqual([1, 1]);
  expect(pages).toBeLessThan(70);
  expect(await nextFailed(0, 0, read)).toBeNull();
});
