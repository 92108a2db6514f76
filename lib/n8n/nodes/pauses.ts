import type { Json, JsonObject } from "#lib/engine/json.ts";
import { nodeReference } from "#lib/engine/node-reference.ts";
import { asTemplate, codeOf } from "../expressions/read-value.ts";
import { NotConverted, own, restoredItem } from "../source.ts";
import { type Around, type Converter, pass, perItem } from "./convert-node.ts";
import { formFields } from "./forms.ts";
import { jsonTemplate } from "./requests.ts";

const unitMs: Readonly<Record<string, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};
const yearMs = 366 * 86_400_000;

const wait = pass((context) => {
  const { node, id, parameters, gap } = context;
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
  const timesOut = parameters.flag("limitWaitTime");
  const limit = timesOut ? { timeoutMs: timeLimit(parameters) } : {};
  parameters.reportOthers("options", ["webhookSuffix"]);
  if (resume === "webhook") return { type: "wait", config: limit, json: (output: string) => output, timesOut };
  if (resume !== "form") throw new NotConverted(`a wait of the kind “${resume}”`);
  const { fields, moved } = formFields(parameters, `${nodeReference(id)}.output.body`, gap);
  const form: JsonObject = {
    title: String(parameters.template("formTitle") || "Form"),
    ...(parameters.has("formDescription") ? { description: parameters.template("formDescription") as string } : {}),
    fields: fields as unknown as Json,
  };
  return { type: "wait", config: { ...limit, form }, json: (output: string) => `${output}.body`, moved, timesOut };
});

function timeLimit(parameters: Around["parameters"]): Json {
  if (parameters.text("limitType", "afterTimeInterval") === "atSpecifiedTime")
    return `{{ Math.max(1, new Date(${parameters.code("maxDateAndTime")}) - new Date()) }}`;
  const unit = own(unitMs, parameters.text("resumeUnit", "hours")) ?? 3_600_000;
  return Math.round(parameters.number("resumeAmount", 0, 8_784, 1) * unit) || 1;
}

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

const executeWorkflow = perItem(({ node, inputs, parameters, reading, gap }: Around) => {
  const source = parameters.text("source", "database");
  if (source !== "database") throw new NotConverted("a workflow from the node itself, a file or a URL");
  const workflow = String(parameters.at("workflowId") ?? "");
  gap(`Runs the workflow ${codeOf(workflow.slice(0, 100))} of n8n: import that one too, and choose it in this card.`);
  if (inputs[0]?.shape === "list" && !node.executeOnce && parameters.text("mode", "once") === "once")
    gap("It runs once for each item, not once with all.");
  const names = parameters.names("workflowInputs.value");
  const values = Object.fromEntries(
    names.map((name) => [name, asTemplate(parameters.memberValue("workflowInputs.value", name)) as Json]),
  );
  const data: Json = names.length > 0 ? values : `{{ ${restoredItem(reading.item)} }}`;
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
