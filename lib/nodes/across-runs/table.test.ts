import { describe, expect, test } from "vitest";
import { effectOf, findConfigProblems } from "../registry.ts";
import { asNode, runNodeAlone } from "../testing/run-alone.ts";
import { table } from "./table.ts";
import type { TableRequest } from "./table-access.ts";

async function requestOf(config: object, input: unknown = null) {
  const requests: TableRequest[] = [];
  const { output } = await runNodeAlone(asNode(table), config, input, {
    table: async (request) => {
      requests.push(request);
      return { rows: [{ id: "row_1" }, { id: "row_2" }], count: 2 };
    },
  });
  return { request: requests[0], output };
}

describe("the table node", () => {
  test("finds rows by default, and returns the first and all", async () => {
    const { request, output } = await requestOf({ table: "orders", where: { open: true }, sort: "-total", limit: 5 });
    expect(request).toMatchObject({ action: "find", table: "orders", where: { open: true }, sort: "-total", limit: 5 });
    expect(output).toEqual({ row: { id: "row_1" }, rows: [{ id: "row_1" }, { id: "row_2" }], count: 2 });
  });

  test.each(["insert", "upsert"])("writes its input if no row is given, to %s", async (action) => {
    const { request } = await requestOf({ action, table: "orders", key: "id" }, { id: 1 });
    expect(request?.row).toEqual({ id: 1 });
  });

  test("never writes its input over rows", () => {
    expect(findConfigProblems("table", { action: "update", table: "t", where: {} })).toEqual([
      { path: "row", message: "is required to update" },
    ]);
  });

  test.each([
    ["get", "where"],
    ["update", "where"],
    ["delete", "where"],
    ["increment", "where"],
    ["upsert", "key"],
  ])("asks for what it cannot do without: to %s, %s", (action, path) => {
    expect(findConfigProblems("table", { action, table: "t" })).toContainEqual({
      path,
      message: `is required to ${action}`,
    });
  });

  test.each([
    [{}, "read"],
    [{ action: "get" }, "read"],
    [{ action: "count" }, "read"],
    [{ action: "insert" }, "write"],
    [{ action: "{{ $vars.action }}" }, "write"],
  ])("with %j is known to %s", (config, effect) => {
    expect(effectOf({ type: "table", config: { table: "t", ...config } })).toBe(effect);
  });

  test("has no row if nothing was found", async () => {
    const { output } = await runNodeAlone(asNode(table), { table: "orders" }, null, {
      table: async () => ({ rows: [], count: 0 }),
    });
    expect(output).toEqual({ row: null, rows: [], count: 0 });
  });
});
