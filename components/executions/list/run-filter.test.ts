import { expect, test } from "vitest";
import { bulkFilter, filterChange, isFiltered, listQuery, readFilter } from "./run-filter.ts";

const now = Date.parse("2026-03-10T12:00:00.000Z");
const address = new URLSearchParams("flow=flow_a&status=failed,timeout&since=24h&min=500&page=2&delivery=x");
const filter = readFilter((name) => address.get(name) ?? undefined);

test("only filters are read from a URL", () => {
  expect(filter).toEqual({ flow: "flow_a", status: "failed,timeout", since: "24h", min: "500" });
  expect([isFiltered(filter), isFiltered({})]).toEqual([true, false]);
});

test("a period becomes its start time", () => {
  expect(listQuery(filter, now)).toMatchObject({ flowId: "flow_a", startDate: "2026-03-09T12:00:00.000Z" });
  expect(listQuery({ from: "2026-01-01" }, now).startDate).toBe("2026-01-01");
});

test("a bulk operation gets lists and numbers, without missing values", () => {
  expect(bulkFilter(filter, now)).toEqual({
    flowId: "flow_a",
    status: ["failed", "timeout"],
    startDate: "2026-03-09T12:00:00.000Z",
    minDuration: 500,
  });
});

test("a bulk operation takes what is empty in the URL for no condition, as the list does", () => {
  expect(bulkFilter({ flow: "", search: "", status: "failed" }, now)).toEqual({ status: ["failed"] });
});

test("clearing resets every filter, and applying a saved one resets the others", () => {
  expect(filterChange()).toMatchObject({ flow: null, status: null, search: null, min: null });
  expect(filterChange({ status: "failed" })).toMatchObject({ flow: null, status: "failed" });
});
