import type { Json, JsonObject } from "#lib/engine/json.ts";
import { asTemplate, codeOf } from "../expressions/read-value.ts";
import type { Parameters } from "../parameters.ts";
import { NotConverted, own, restoredItem } from "../source.ts";
import { type Around, type Converter, pass, perItem } from "./convert-node.ts";
import { jsonTemplate } from "./requests.ts";

const unitMs: Readonly<Record<string, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};
const yearMs = 366 * 86_400_000;

/** The types of a form's fields here. */
const fieldTypes: Readonly<Record<string, string>> = {
  text: "text",
  textarea: "textarea",
  number: "number",
  email: "email",
  date: "date",
  dropdown: "select",
  checkbox: "checkbox",
};

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly required?: boolean;
  readonly options?: string[];
}

/** A form's fields, with names that are valid here. */
export function formFields(parameters: Parameters, gap: (reason: string) => void): readonly FormField[] {
  const taken = new Set<string>();
  return parameters.entries("formFields.values").flatMap((entry, index) => {
    const given = entry.text("fieldType", "text");
    const label = entry.text("fieldLabel") || entry.text("fieldName") || `Field ${index + 1}`;
    if (given === "html" || given === "hiddenField") {
      gap(`The form's part “${label.slice(0, 100)}” (${given}) is left out.`);
      return [];
    }
    if (own(fieldTypes, given) === undefined)
      gap(`The form asks for “${label.slice(0, 100)}” as text, not as ${given}.`);
    const plain =
      label
        .normalize("NFKD")
        .replace(/[^\w-]+/g, "_")
        .replace(/^_+|_+$/g, "")
        .slice(0, 50) || `field_${index + 1}`;
    let name = plain;
    for (let turn = 2; taken.has(name); turn += 1) name = `${plain}_${turn}`;
    taken.add(name);
    const options = entry
      .entries("fieldOptions.values")
      .map((option) => option.text("option"))
      .filter((part) => part !== "");
    const type = own(fieldTypes, given) ?? "text";
    return [
      {
        name,
        label: label.slice(0, 200),
        type: type === "select" && options.length === 0 ? "text" : type,
        ...(entry.flag("requiredField") ? { required: true } : {}),
        ...(type === "select" && options.length > 0 ? { options } : {}),
      },
    ];
  });
}

const wait = pass((context) => {
  const { node, parameters, gap } = context;
  const resume = parameters.text("resume", "timeInterval");
  if (resume === "specificTime") return { type: "delay", config: { until: parameters.template("dateTime") as Json } };
  if (resume === "timeInterval") {
    const unit = own(unitMs, parameters.text("unit", node.version >= 1.1 ? "seconds" : "hours")) ?? 1_000;
    const value = parameters.value("amount");
    if ("parts" in value)
      return { type: "delay", config: { ms: `{{ Number(${parameters.code("amount")}) * ${unit} }}` } };
    const amount = parameters.number("amount", 0, yearMs / unit, node.version >= 1.1 ? 5 : 1);
    return { type: "delay", config: { ms: Math.round(amount * unit) } };
  }
  const limit = parameters.flag("limitWaitTime")
    ? {
        timeoutMs:
          Math.round(
            parameters.number("resumeAmount", 0, 8_784, 1) *
              (own(unitMs, parameters.text("resumeUnit", "hours")) ?? 3_600_000),
          ) || 1,
      }
    : {};
  if (resume === "webhook") return { type: "wait", config: limit, json: (output: string) => output };
  if (resume !== "form") throw new NotConverted(`a wait of the kind “${resume}”`);
  const fields = formFields(parameters, gap).map(({ label, ...field }) => ({ ...field, label }));
  const form: JsonObject = {
    title: String(parameters.template("formTitle") || "Form"),
    ...(parameters.has("formDescription") ? { description: parameters.template("formDescription") as string } : {}),
    fields: fields as unknown as Json,
  };
  return { type: "wait", config: { ...limit, form }, json: (output: string) => `${output}.body` };
});

const textType = "text/html; charset=utf-8";

const respondToWebhook = pass(({ parameters, reading }) => {
  const kind = parameters.text("respondWith", "firstIncomingItem");
  const status = Math.round(parameters.number("options.responseCode", 200, 599, 200));
  const entries = parameters.entries("options.responseHeaders.entries");
  const headers = Object.fromEntries(
    entries.map((entry) => [entry.text("name"), String(asTemplate(entry.value("value")) ?? "")]),
  );
  const first = reading.input.shape === "list" ? `${reading.input.json}[0]` : restoredItem(reading.input);
  const all = reading.input.shape === "list" ? reading.input.json : `[${first}]`;
  const config = (body: Json, more: JsonObject = {}, code = status) => ({
    type: "respond",
    config: {
      status: code,
      ...(entries.length + Object.keys(more).length > 0 ? { headers: { ...headers, ...more } } : {}),
      body,
    },
  });
  if (kind === "firstIncomingItem") return config(`{{ ${first} }}`);
  if (kind === "allIncomingItems") return config(`{{ ${all} }}`);
  if (kind === "json") return config(parameters.has("responseBody") ? jsonTemplate(parameters, "responseBody") : {});
  if (kind === "text") {
    // Without one, n8n answers a text as a page, and this node as JSON.
    const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
    return config(parameters.template("responseBody") as Json, isTyped ? {} : { "Content-Type": textType });
  }
  if (kind === "noData") return config("");
  if (kind === "redirect") {
    const code = status >= 300 && status < 400 ? status : 302;
    return config("", { Location: parameters.template("redirectURL") as string }, code);
  }
  throw new NotConverted(`an answer of the kind “${kind}”`);
});

const stopAndError = pass(({ parameters }) => {
  const isObject = parameters.text("errorType", "errorMessage") === "errorObject";
  const message = isObject ? jsonTemplate(parameters, "errorObject") : (parameters.template("errorMessage") as Json);
  return { type: "stop", config: { status: "failed", message: message ?? "" }, ends: true };
});

const executeWorkflow = perItem(({ parameters, reading, gap }: Around) => {
  const source = parameters.text("source", "database");
  if (source !== "database") throw new NotConverted("a workflow from the node itself, a file or a URL");
  const workflow = String(parameters.at("workflowId") ?? "");
  gap(`Runs the workflow ${codeOf(workflow.slice(0, 100))} of n8n: import that one too, and choose it in this card.`);
  const inputs = parameters.names("workflowInputs.value");
  const values = Object.fromEntries(
    inputs.map((name) => [name, asTemplate(parameters.memberValue("workflowInputs.value", name)) as Json]),
  );
  const data: Json = inputs.length > 0 ? values : `{{ ${restoredItem(reading.item)} }}`;
  const isWaiting = parameters.flag("options.waitForSubWorkflow", true);
  const config = {
    flowId: `flow-of-${workflow.replace(/[^\w-]/g, "").slice(0, 40) || "n8n"}`,
    data,
    ...(isWaiting ? {} : { wait: false }),
  };
  return {
    type: "sub-flow",
    config,
    json: (output) => (isWaiting ? `${output}.output` : restoredItem(reading.item)),
    mayBeList: isWaiting,
  };
});

export const pauseNodes: Readonly<Record<string, Converter>> = {
  wait,
  respondToWebhook,
  stopAndError,
  executeWorkflow,
};
