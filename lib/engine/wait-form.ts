import { z } from "zod";
import { fileField, formFieldTypes } from "./flow.ts";
import { isJsonObject, type JsonObject } from "./json.ts";

const text = (charactersMax: number) =>
  z.string("must be text").max(charactersMax, `must have at most ${charactersMax} characters`);

const formField = z
  .object(
    {
      name: text(64)
        .regex(/^[A-Za-z_][\w-]*$/, "must be of letters, digits, _ and -")
        .meta({ title: "Name", description: "The answer's name in the output's `body`." }),
      label: text(200)
        .optional()
        .meta({ title: "Label", description: "The label that people see. Default: the name." }),
      type: z
        .enum(formFieldTypes, `must be one of ${formFieldTypes.join(", ")}`)
        .optional()
        .default("text")
        .meta({
          title: "Type",
          description: "A checkbox answers with true or false, a number with a number.",
          labels: {
            text: "Text",
            textarea: "Long text",
            number: "Number",
            checkbox: "Checkbox",
            select: "Choice",
            email: "Email",
            date: "Date",
            file: "File",
          },
        }),
      required: z
        .boolean("must be true or false")
        .optional()
        .default(false)
        .meta({ title: "Required", description: "Whether it must be answered; a checkbox then must be ticked." }),
      options: z
        .array(text(200).min(1, "must not be empty"), "must be a list of text")
        .max(100, "at most 100 options")
        .optional()
        .meta({ title: "Options", description: "The choices of a select." }),
      value: z
        .union([z.string(), z.number(), z.boolean()], "must be text, a number, true or false")
        .optional()
        .meta({ title: "Value", description: "The initial value." }),
    },
    "must be an object with a name",
  )
  .refine(({ type, options }) => type !== "select" || (options?.length ?? 0) > 0, {
    path: ["options"],
    message: "a select needs options",
  });

const formAction = z.object(
  {
    id: text(64)
      .min(1, "must not be empty")
      .meta({ title: "Id", description: "The answer's `action` if this button is pressed." }),
    label: text(100).optional().meta({ title: "Label", description: "The button's label. Default: the id." }),
    fieldsOptional: z
      .boolean("must be true or false")
      .optional()
      .meta({ title: "Fields optional", description: "Whether required fields may be left empty with this button." }),
  },
  "must be an object with an id",
);

const title = text(200);
const description = text(5_000).optional().meta({ title: "Description", description: "Plain text above the fields." });
const formFields = z
  .array(formField, "must be a list of fields")
  .max(50, "a form has at most 50 fields")
  .refine((fields) => new Set(fields.map(({ name }) => name)).size === fields.length, "every field needs its own name");

/** What people are asked before a run continues. */
export const waitForm = z.object(
  {
    title: title.optional().meta({ title: "Title", description: "Default: the node's name." }),
    description,
    fields: formFields
      .refine((fields) => fields.every(({ name }) => name !== "action"), '"action" is the button that was pressed')
      .refine((fields) => fields.every(({ type }) => type !== fileField), "only the form of a trigger takes files")
      .optional()
      .default([])
      .meta({ title: "Fields", description: "What is asked, in this order." }),
    actions: z
      .array(formAction, "must be a list of buttons")
      .min(1, "a form has at least one button")
      .max(10, "a form has at most 10 buttons")
      .optional()
      .meta({ title: "Buttons", description: 'One a decision: `[{id: "approve"}, {id: "reject"}]`.' }),
  },
  "must be a form: {title, description, fields, actions}",
);

export type WaitForm = z.output<typeof waitForm>;

/** What a `form` trigger asks people at its URL (docs/triggers.md). */
export const triggerForm = z.object({
  title: title.optional().meta({ title: "Title", description: "Default: the flow's name." }),
  description,
  fields: formFields
    .optional()
    .default([])
    .meta({ title: "Fields", description: "The form's fields, in this order. The answers are `$trigger.body`." }),
  submitLabel: text(100)
    .min(1, "must not be empty")
    .optional()
    .default("Submit")
    .meta({ title: "Button", description: "What the button says." }),
});

export type TriggerForm = z.output<typeof triggerForm>;
export type FormField = WaitForm["fields"][number];

/** Answers that match the form, or the problems by field. */
export type FormAnswers =
  | { readonly ok: true; readonly values: JsonObject }
  | { readonly ok: false; readonly problems: Readonly<Record<string, string>> };

/**
 * Reads answers as JSON or from an HTML form (strings only, an unticked checkbox missing). Fields that are not in the
 * form are dropped.
 */
export function readFormAnswers(form: Pick<WaitForm, "fields" | "actions">, given: unknown): FormAnswers {
  const answers = isJsonObject(given) ? given : {};
  const pressed = form.actions?.find(({ id }) => id === answers.action);
  const problems: [string, string][] = [];
  const values: [string, JsonObject[string]][] = [];
  for (const field of form.fields) {
    const answer = Object.hasOwn(answers, field.name) ? answers[field.name] : null;
    const read = readers[field.type](answer ?? null, field);
    if ("problem" in read) problems.push([field.name, read.problem]);
    else if (field.required && !pressed?.fieldsOptional && (read.value === null || read.value === false))
      problems.push([field.name, "is required"]);
    else values.push([field.name, read.value]);
  }
  if (pressed !== undefined) values.push(["action", pressed.id]);
  else if (form.actions !== undefined)
    problems.push(["action", `must be one of ${form.actions.map(({ id }) => id).join(", ")}`]);
  if (problems.length > 0) return { ok: false, problems: Object.fromEntries(problems) };
  return { ok: true, values: Object.fromEntries(values) };
}

type Read = { readonly value: string | number | boolean | null | JsonObject } | { readonly problem: string };
type Answer = JsonObject[string];

const textOf = (answer: Answer): Read => {
  if (answer === null || answer === "") return { value: null };
  return typeof answer === "string" ? { value: answer } : { problem: "must be text" };
};

const matching =
  (isValid: (text: string) => boolean, problem: string) =>
  (answer: Answer): Read => {
    const read = textOf(answer);
    return "problem" in read || read.value === null || isValid(String(read.value)) ? read : { problem };
  };

/** Whether the calendar has this day: `Date` reads 30 February as 2 March. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const decimal = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

const readers: Record<FormField["type"], (answer: Answer, field: FormField) => Read> = {
  text: textOf,
  textarea: textOf,
  email: matching((text) => /^[^\s@]+@[^\s@]+$/.test(text), "must be an email address"),
  date: matching(isDay, "must be a date such as 2026-01-31"),
  number: (answer) => {
    const given = typeof answer === "string" ? answer.trim() : answer;
    if (given === null || given === "") return { value: null };
    // `Number` would take "0x10", too.
    const value = typeof given === "string" && decimal.test(given) ? Number(given) : given;
    return typeof value === "number" && Number.isFinite(value) ? { value } : { problem: "must be a number" };
  },
  file: (answer) => {
    if (answer === null || answer === "") return { value: null };
    const isFile = isJsonObject(answer) && typeof answer.file === "string" && answer.file.startsWith("file_");
    return isFile ? { value: answer } : { problem: "must be one file" };
  },
  checkbox: (answer) => ({ value: answer === true || answer === "on" || answer === "true" }),
  select: (answer, { options = [] }) => {
    const read = textOf(answer);
    if ("problem" in read || read.value === null || options.includes(String(read.value))) return read;
    return { problem: `must be one of ${options.join(", ")}` };
  },
};
