import { expect, test, vi } from "vitest";
import { ApiError } from "#lib/contract/client.ts";
import { refusalsInWords } from "./flow-bulk-bar.tsx";

const incomplete = new ApiError(
  400,
  "VALIDATION_ERROR",
  "The flow cannot run",
  { "nodes[0].config.url": "is missing" },
  null,
);
const unanswered = new TypeError();

test("flows that cannot run are named, and where to see why", () => {
  const refused = [{ name: "Order intake", failure: incomplete }];
  expect(refusalsInWords(refused, "made live")).toEqual(["Order intake could not be made live: open it to see why."]);
});

test("each reason is said once, and of many flows the first few are named", () => {
  vi.stubGlobal("navigator", { onLine: true });
  const refused = [
    { name: "Incomplete", failure: incomplete },
    ...["A", "B", "C", "D", "E"].map((name) => ({ name, failure: unanswered })),
  ];
  expect(refusalsInWords(refused, "made live")).toEqual([
    "Incomplete could not be made live: open it to see why.",
    "A, B, C, and 2 others could not be made live. The server did not answer. Check that it is reachable.",
  ]);
});

test("nothing is said of no refusals", () => {
  expect(refusalsInWords([], "made live")).toEqual([]);
});
