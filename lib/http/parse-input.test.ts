import { expect, test } from "vitest";
import { z } from "zod";
import { AppError } from "#lib/errors.ts";
import { parseInput, queryOf } from "./parse-input.ts";

const schema = z.object({
  name: z.string("name must be text"),
  nodes: z.array(z.object({ id: z.string(), config: z.object({ url: z.string() }) })).optional(),
});

function detailsOf(value: unknown) {
  try {
    parseInput(schema, value, "body");
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return (error as AppError).details;
  }
  throw new Error("nothing was wrong");
}

test("valid values pass, without unknown ones", () => {
  expect(parseInput(schema, { name: "a", other: 1 }, "body")).toEqual({ name: "a" });
});

// Proves flows.create.paths
test("every invalid field is reported by its path, with its first reason", () => {
  expect(detailsOf({ nodes: [{ id: "a", config: { url: "x" } }, { config: { url: 3 } }] })).toEqual({
    name: "is required",
    "nodes[1].id": "is required",
    "nodes[1].config.url": "must be text",
  });
  expect(detailsOf({ name: 5 })).toEqual({ name: "name must be text" });
  expect(detailsOf(null)).toEqual({ body: "must be an object" });
});

test("query parameters are read by name; a repeated one is a list; names are data", () => {
  const query = queryOf(new URL("http://x/?a=1&b=2&b=3&__proto__=4&c"));
  expect(Object.entries(query)).toEqual([
    ["a", "1"],
    ["b", ["2", "3"]],
    ["__proto__", "4"],
    ["c", ""],
  ]);
});
