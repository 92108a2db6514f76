import { expect, test } from "vitest";
import { JsonCost } from "./json-cost.ts";

const mib = 1_048_576;
const allows = (text: string, contentType?: string, partBytes = 65_536) => {
  const cost = new JsonCost(contentType);
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += partBytes) {
    if (!cost.allows(bytes.subarray(from, from + partBytes))) return false;
  }
  return true;
};

test("megabytes of prose are allowed, megabytes of small values are not", () => {
  const sentence = "There is a lot to be said about the matter, and most of it has been said before. ";
  expect(allows(JSON.stringify({ text: sentence.repeat((5 * mib) / sentence.length) }))).toBe(true);
  expect(allows(JSON.stringify({ data: "A".repeat(5 * mib) }))).toBe(true);
  for (const small of ["[],", "{},", '"k":1,']) expect(allows(small.repeat(mib))).toBe(false);
});

test("in an event stream, each event counts separately, however the stream is split", () => {
  const events = `data: {"a":[1,2,3],"b":{"c":4}}\n\n`.repeat(100_000);
  for (const partBytes of [7, 65_536]) expect(allows(events, "text/event-stream; charset=utf-8", partBytes)).toBe(true);
  expect(allows(events.replaceAll("\n", "\r\n"), "text/event-stream")).toBe(true);
  expect(allows(events.replaceAll("\n\n", "\n"), "text/event-stream")).toBe(false);
  expect(allows(events)).toBe(false);
});
