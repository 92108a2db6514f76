// The convert node in runs: what it gives, what it refuses, and that bombs hold up nobody.
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { get, post } from "#e2e/support/api-client.ts";
import { createFlow, edge, ended, execute, node, outputOf } from "#e2e/support/flows.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";

inOwnWorkspace("Conversions");

// Proves nodes.convert
test("a flow reads CSV and writes a spreadsheet, a page becomes rows", async () => {
  const nodes = [
    node("read", "convert", { from: "csv", to: "json", value: "{{ $trigger.body.csv }}", delimiter: ";" }),
    node("sheet", "convert", { from: "json", to: "xlsx" }),
    node("back", "convert", { from: "xlsx", to: "yaml" }),
    node("page", "convert", { from: "html", to: "json", value: "{{ $trigger.body.html }}", select: "td" }),
  ];
  const flow = await createFlow({ nodes, edges: [edge("read", "sheet"), edge("sheet", "back"), edge("back", "page")] });
  const run = await execute(flow.id, { csv: "name;age\nAnn;42\n", html: "<table><td class=a>1<td>2</table>" });
  expect(outputOf(run, "read")).toEqual([{ name: "Ann", age: "42" }]);
  expect(outputOf(run, "sheet")).toMatch(/^UEsDB/);
  expect(outputOf(run, "back")).toBe('- name: Ann\n  age: "42"\n');
  expect(outputOf(run, "page")).toMatchObject([{ text: "1", attributes: { class: "a" } }, { text: "2" }]);
});

test("an impossible pair is a problem of the flow, before it runs", async () => {
  const nodes = [node("c", "convert", { from: "markdown", to: "csv" })];
  const { data } = await post<{ problems: { message: string }[] }>("/flows/check", {
    ...{ name: "Test", trigger: { type: "manual" }, nodes, edges: [] },
  });
  expect(JSON.stringify(data)).toContain("markdown can become html");
});

test("bombs fail their own run alone, and hold nobody up", async () => {
  const bomb = gzipSync(Buffer.alloc(60_000_000)).toString("base64");
  const flow = await createFlow({
    nodes: [node("c", "convert", { from: "gzip", to: "text", value: "{{ $trigger.body.bomb }}" })],
  });
  const yaml = await createFlow({
    nodes: [node("c", "convert", { from: "yaml", to: "json", value: "{{ '- [1, {a: b}]\\n'.repeat(60000) }}" })],
  });
  const started = await Promise.all(
    [flow, yaml, flow, yaml].map(({ id }) =>
      post<{ executionId: string }>(`/flows/${id}/execute`, { data: id === flow.id ? { bomb } : {}, async: true }),
    ),
  );
  const startedAt = performance.now();
  expect((await get("/account")).status).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  const runs = await Promise.all(started.map(({ data }) => ended(data.executionId)));
  expect(runs[0]?.error).toMatchObject({ code: "CONVERSION_FAILED", nodeId: "c" });
  expect(runs[2]?.error?.message).toContain("unpacks to more than");
  const small = await createFlow({ nodes: [node("c", "convert", { from: "text", to: "base64", value: "hi" })] });
  expect(outputOf(await execute(small.id), "c")).toBe("aGk=");
});
