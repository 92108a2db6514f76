import { toStorableText } from "#lib/engine/flow.ts";
import { shortText } from "../document.ts";
import type { Parameters } from "../parameters.ts";
import { movedPath, own } from "../source.ts";

/** The types of a form's fields here. */
const fieldTypes: Readonly<Record<string, string>> = {
  text: "text",
  textarea: "textarea",
  number: "number",
  email: "email",
  date: "date",
  dropdown: "select",
  radio: "select",
  checkbox: "checkbox",
};

interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly required?: boolean;
  readonly options?: string[];
}

interface FormFields {
  readonly fields: readonly FormField[];
  /** The answers by their labels, as n8n names them. */
  readonly moved: Map<string, string>;
}

const [fieldsMax, optionsMax] = [50, 100];

/** A form's fields, with names that are valid here; `answers`: the code for their values by name. */
export function formFields(parameters: Parameters, answers: string, gap: (reason: string) => void): FormFields {
  // The button of a form that a run waits for.
  const taken = new Set(["action"]);
  const moved = new Map<string, string>();
  const given = parameters.entries("formFields.values");
  if (given.length > fieldsMax) gap(`A form has at most ${fieldsMax} fields: the first are kept.`);
  const fields = given.slice(0, fieldsMax).flatMap((entry, index) => {
    const [original, fieldType] = [
      entry.text("fieldLabel") || entry.text("fieldName"),
      entry.text("fieldType", "text"),
    ];
    const label = shortText(original, 200) || `Field ${index + 1}`;
    if (fieldType === "html" || fieldType === "hiddenField") {
      gap(`The form's part “${label.slice(0, 100)}” (${fieldType}) is left out.`);
      return [];
    }
    const options = entry
      .entries("fieldOptions.values")
      .map((option) => toStorableText(option.text("option").slice(0, 200)))
      .filter((part) => part !== "")
      .slice(0, optionsMax);
    const type = own(fieldTypes, fieldType) ?? "text";
    const ofType = type === "select" && options.length === 0 ? "text" : type;
    if (own(fieldTypes, fieldType) === undefined)
      gap(`The form asks for “${label.slice(0, 100)}” as text, not as ${fieldType}.`);
    else if (entry.flag("multiselect")) gap(`The form takes one choice for “${label.slice(0, 100)}”, not several.`);
    else if (type === "checkbox" && options.length > 1)
      gap(`The form has one box for “${label.slice(0, 100)}”, not one for each of ${options.length} options.`);
    const name = freeNameOf(label, index, taken);
    moved.set(movedPath(original || label), `${answers}[${JSON.stringify(name)}]`);
    const required = entry.flag("requiredField") ? { required: true } : {};
    return [{ name, label, type: ofType, ...required, ...(ofType === "select" ? { options } : {}) }];
  });
  return { fields, moved };
}

function freeNameOf(label: string, index: number, taken: Set<string>): string {
  const plain =
    label
      .normalize("NFKD")
      .replace(/[^\w-]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, 50) || `field_${index + 1}`;
  let name = plain;
  for (let turn = 2; taken.has(name); turn += 1) name = `${plain}_${turn}`;
  taken.add(name);
  return name;
}
