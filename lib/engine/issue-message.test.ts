import { expect, test } from "vitest";
import { z } from "zod";
import { fieldTitle, issueMessage, withFieldTitles } from "./issue-message.ts";

const schema = {
  type: "object",
  properties: {
    ms: { type: "number", title: "Duration" },
    until: { type: "string", title: "Until" },
    retry: { type: "object", title: "Retry", properties: { maxRetries: { type: "number", title: "Attempts" } } },
    cases: { type: "array", title: "Cases", items: { type: "object", properties: { when: { title: "When" } } } },
    plain: {},
  },
};

test.each([
  ["ms", "Duration"],
  ["retry.maxRetries", "Retry: Attempts"],
  ["cases[1].when", "Cases 2: When"],
  ["cases[0]", "Cases 1"],
  ["plain", "plain"],
  ["body.nodes[1].id", "body: nodes 2: id"],
  ["", ""],
])("%s is titled %s", (path, title) => expect(fieldTitle(schema, path)).toBe(title));

test.each([
  ["ms: is required, unless until is given", "Duration is required, unless Until is given"],
  ["ms: must not be negative (found -1)", "Duration must not be negative (found -1)"],
  ["ms: must be a number; cases[0].when: is required", "Duration must be a number; Cases 1: When is required"],
  ["until: `a.b` failed: a is not defined", "Until: `a.b` failed: a is not defined"],
  ["until: `a; ms: is` failed: no; ms: is odd", "Until: `a; ms: is` failed: no; ms: is odd"],
  ["getaddrinfo: no such host", "getaddrinfo: no such host"],
  ["constructor: is required", "constructor: is required"],
  ["The server answered 500", "The server answered 500"],
])("%s is said as %s", (message, expected) => expect(withFieldTitles(message, schema)).toBe(expected));

test("without a schema, a message is unchanged", () => {
  expect(withFieldTitles("ms: is required", undefined)).toBe("ms: is required");
});

const given = (type: z.ZodType, value: unknown) =>
  z.object({ a: type }).safeParse({ a: value }, { reportInput: true }).error?.issues.map(issueMessage);

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, "is required"],
  [z.string(), null, "must be text"],
  [z.int(), 0.5, "must be a whole number"],
  [z.boolean(), "true", "must be true or false"],
  [z.record(z.string(), z.string()), [], "must be an object"],
  [z.array(z.string()), {}, "must be a list"],
  [z.string().min(1), "", "must not be empty"],
  [z.string().min(2), "a", "must have at least 2 characters"],
  [z.string().max(1), "ab", "must have at most 1 character"],
  [z.array(z.number()).max(2), [1, 2, 3], "must have at most 2 items"],
  [z.number().min(1), 0, "must be at least 1"],
  [z.number().gt(0), 0, "must be more than 0"],
  [z.number().max(10), 11, "must be at most 10"],
  [z.number().multipleOf(5), 3, "must be a multiple of 5"],
  [z.enum(["GET", "POST"]), "get", "must be one of GET, POST"],
  [z.enum(["GET", "POST"]), undefined, "is required"],
  [z.literal(5), 6, "must be 5"],
  [z.strictObject({}), { b: 1 }, 'must not have "b"'],
  [z.union([z.string(), z.number(), z.null()]), ["x"], "must be text, a number or null"],
  [z.union([z.object({ a: z.string() }), z.array(z.string())]), { b: 1 }, "does not have the right form"],
  [z.union([z.string(), z.number()]), undefined, "is required"],
  [z.url(), "x", "must be a complete URL"],
  [z.string().regex(/^a/), "b", "must match pattern /^a/"],
  [z.string("must be a name"), 5, "must be a name"],
])("%# is refused plainly", (type, value, message) => expect(given(type, value)).toEqual([message]));
