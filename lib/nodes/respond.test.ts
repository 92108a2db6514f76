import { expect, test } from "vitest";
import { findConfigProblems } from "./registry.ts";
import { respond } from "./respond.ts";
import { asNode, runNodeAlone } from "./testing/run-alone.ts";

const run = async (config: object, input: unknown = null) => {
  const { output, answer } = await runNodeAlone(asNode(respond), config, input);
  return { output, answer };
};

// Proves nodes.respond
test("answers 200 with its input by default", async () => {
  expect(await run({}, { a: 1 })).toEqual({ output: { a: 1 }, answer: { status: 200, headers: {} } });
});

test("sets status, headers and body", async () => {
  expect(await run({ status: 422, headers: { "x-count": 3, "x-ok": true }, body: null }, { a: 1 })).toEqual({
    output: null,
    answer: { status: 422, headers: { "x-count": "3", "x-ok": "true" } },
  });
});

test.each([199, 600, 200.5, "200", 100])("the status %j is refused", (status) => {
  expect(findConfigProblems("respond", { status }).map(({ path }) => path)).toEqual(["status"]);
});

test("a header's value is text", () => {
  expect(findConfigProblems("respond", { headers: { a: {} } }).map(({ path }) => path)).toEqual(["headers.a"]);
  expect(findConfigProblems("respond", { headers: "a" }).map(({ path }) => path)).toEqual(["headers"]);
});

test("there are at most a thousand headers, counted before they are validated", () => {
  const headers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, {}]));
  expect(findConfigProblems("respond", { headers: headers(1_000) })).toHaveLength(1_000);
  const problem = { path: "headers", message: "must have at most 1000 names" };
  expect(findConfigProblems("respond", { headers: headers(1_001) })).toEqual([problem]);
  const call = { url: "https://a.test", headers: headers(1_001), query: headers(1_001) };
  expect(findConfigProblems("http-request", call)).toEqual([{ ...problem, path: "query" }, problem]);
});

test("headers that cannot be sent are reported in one warning", async () => {
  const headers = { Link: "</a>; rel=preload", location: "/next", "X-Own": "1" };
  const { logs } = await runNodeAlone(asNode(respond), { headers });
  expect(logs.map(({ level, message }) => [level, message])).toEqual([
    [
      "warning",
      "Headers that are not sent: Link cannot be set by a flow; location is sent with a status from 300 to 399 only",
    ],
  ]);
  expect((await runNodeAlone(asNode(respond), { status: 302, headers: { location: "/next" } })).logs).toEqual([]);
});
