import { expect, test } from "vitest";
import { bulkMax } from "#lib/contract/executions/bulk.ts";
import { affectedInWords, bulkActions } from "./bulk-actions.ts";

const [again, ...others] = bulkActions;

test("running more again than one call takes says how many are left out", () => {
  if (again === undefined) throw new Error("no action");
  expect(again.max).toBe(bulkMax);
  expect(affectedInWords(again, 1_000)).toEqual({ runs: "1,000 runs", left: "" });
  expect(affectedInWords(again, 2_345)).toEqual({
    runs: "1,000 of 2,345 runs",
    left: " The oldest 1,000 are taken: choose a shorter period for the others.",
  });
});

test("the other actions take all", () => {
  for (const action of others) expect(affectedInWords(action, 2_345)).toEqual({ runs: "2,345 runs", left: "" });
});
