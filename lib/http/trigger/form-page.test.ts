import { expect, test } from "vitest";
import { triggerForm } from "#lib/engine/wait-form.ts";
import { formPage } from "./form-page.ts";

const shown = (names: readonly string[]) => ({
  title: "Order",
  description: null,
  fields: triggerForm.parse({ fields: names.map((name) => ({ name })) }).fields,
  buttons: [{ label: "Send", action: null }],
});

test("only the problems that there are stand beside their fields, whatever the fields are called", () => {
  const form = shown(["constructor", "toString", "email"]);
  expect(formPage(200, form, { answers: {}, problems: {} }, {}).body).not.toMatch(/alert|native code/);
  const { body } = formPage(400, form, { answers: {}, problems: { email: "is required" } }, {});
  expect(body?.match(/role="alert">[^<]*/g)).toEqual(['role="alert">is required']);
});

test("an answer that is no text leaves its field empty", () => {
  const answers = { email: { toString: null }, name: ["a", { valueOf: 1 }], note: "kept" };
  const { body } = formPage(
    400,
    shown(["email", "name", "note"]),
    { answers, problems: { email: "must be text" } },
    {},
  );
  expect(body?.match(/value="[^"]*"/g)).toEqual(['value=""', 'value=""', 'value="kept"']);
});

test("whatever must be answered says so, a checkbox too", () => {
  const { fields } = triggerForm.parse({
    fields: [
      { name: "terms", type: "checkbox", required: true },
      { name: "news", type: "checkbox" },
    ],
  });
  const { body } = formPage(200, { ...shown([]), fields }, { answers: {}, problems: {} }, {});
  expect(body).toMatch(/terms <span class="needed">\(required\)<\/span><\/label>/);
  expect(body).toMatch(/news<\/label>/);
});

test("a button that leaves required fields optional is not stopped by the browser", () => {
  const buttons = [
    { label: "Yes", action: "yes" },
    { label: "No", action: "no", fieldsOptional: true },
  ];
  const { body } = formPage(200, { ...shown([]), buttons }, { answers: {}, problems: {} }, {});
  expect(body).toContain('value="yes">Yes<');
  expect(body).toContain('value="no" formnovalidate>No<');
});
