import { describe, expect, test } from "vitest";
import { readFormAnswers, waitForm } from "./wait-form.ts";

const form = waitForm.parse({
  fields: [
    { name: "text", required: true },
    { name: "count", type: "number" },
    { name: "ok", type: "checkbox" },
    { name: "size", type: "select", options: ["S", "M"] },
    { name: "mail", type: "email" },
    { name: "day", type: "date" },
  ],
  actions: [{ id: "approve" }, { id: "reject" }],
});
const nothing = { text: "x", count: null, ok: false, size: null, mail: null, day: null };

describe("answers to a form", () => {
  test("sent by an HTML form become the JSON that they mean", () => {
    const sent = { text: "x", count: "1.5", ok: "on", size: "M", mail: "a@b.ch", day: "2026-01-31", action: "approve" };
    expect(readFormAnswers(form, sent)).toEqual({
      ok: true,
      values: { text: "x", count: 1.5, ok: true, size: "M", mail: "a@b.ch", day: "2026-01-31", action: "approve" },
    });
  });

  test("as JSON stay as they are; unknown ones are dropped, missing ones are null", () => {
    const read = readFormAnswers(form, { text: "x", count: 2, ok: false, more: 1, action: "reject" });
    expect(read).toEqual({ ok: true, values: { ...nothing, count: 2, action: "reject" } });
    const empty = { text: "x", count: "  ", size: "", mail: "", day: "", action: "approve" };
    expect(readFormAnswers(form, empty)).toMatchObject({ values: nothing });
  });

  test.each([
    ["text", { text: "" }, "is required"],
    ["text", { text: 5 }, "must be text"],
    ["text", { text: ["a", "b"] }, "must be text"],
    ["count", { count: "many" }, "must be a number"],
    ["count", { count: "0x10" }, "must be a number"],
    ["count", { count: "1_000" }, "must be a number"],
    ["size", { size: "L" }, "must be one of S, M"],
    ["mail", { mail: "nobody" }, "must be an email address"],
    ["day", { day: "31.1.2026" }, "must be a date such as 2026-01-31"],
    ["day", { day: "2026-02-30" }, "must be a date such as 2026-01-31"],
    ["action", { action: "delay" }, "must be one of approve, reject"],
  ])("that do not fit in %s: %j", (field, answers, problem) => {
    const read = readFormAnswers(form, { text: "x", action: "approve", ...answers });
    expect(read).toEqual({ ok: false, problems: { [field]: problem } });
  });

  test("of the wrong type report every invalid field at once", () => {
    for (const given of [null, "x", [], 5]) {
      expect(Object.keys((readFormAnswers(form, given) as { problems: object }).problems)).toEqual(["text", "action"]);
    }
  });

  test("may leave required fields empty with a button that says so, but not fill them wrongly", () => {
    const fields = [
      { name: "note", required: true },
      { name: "terms", type: "checkbox", required: true },
      { name: "amount", type: "number", required: true },
    ];
    const refusable = waitForm.parse({ fields, actions: [{ id: "yes" }, { id: "no", fieldsOptional: true }] });
    expect(readFormAnswers(refusable, { action: "no" })).toEqual({
      ok: true,
      values: { note: null, terms: false, amount: null, action: "no" },
    });
    expect(readFormAnswers(refusable, { action: "no", amount: "x" })).toEqual({
      ok: false,
      problems: { amount: "must be a number" },
    });
    expect(readFormAnswers(refusable, { action: "yes" })).toMatchObject({ problems: { note: "is required" } });
  });

  test("need a required checkbox to be ticked", () => {
    const terms = waitForm.parse({ fields: [{ name: "terms", type: "checkbox", required: true }] });
    expect(readFormAnswers(terms, {})).toEqual({ ok: false, problems: { terms: "is required" } });
    expect(readFormAnswers(terms, { terms: "on" })).toEqual({ ok: true, values: { terms: true } });
  });

  test("to a form without fields may be anything, and are dropped", () => {
    expect(readFormAnswers(waitForm.parse({}), { a: 1 })).toEqual({ ok: true, values: {} });
  });
});
