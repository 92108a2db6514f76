import type { Json, JsonObject } from "#lib/engine/json.ts";
import { asTemplate } from "../expressions/read-value.ts";
import { NotConverted } from "../source.ts";
import { type Around, type Converter, each } from "./convert-node.ts";
import { jsonTemplate } from "./requests.ts";

const template = ({ parameters }: Around, path: string): Json => (parameters.template(path) ?? "") as Json;

/** A request to a service's API; the item is in the answer's body. */
function request(around: Around, method: string, url: string, body: JsonObject | null, json = "") {
  const credential = around.credential("bearer");
  return {
    type: "http-request",
    config: {
      method,
      url,
      ...(body === null ? {} : { body, bodyType: "json" }),
      ...(credential === undefined ? {} : { credential }),
    },
    json: (output: string) => `${output}.body${json}`,
  };
}

/** Refuses operations that a converter does not know. Throws NotConverted. */
function only(
  around: Around,
  resource: string,
  operations: readonly string[],
  resourceOtherwise: string,
  otherwise: string,
): string {
  const { parameters } = around;
  const given = parameters.text("resource", resourceOtherwise);
  const operation = parameters.text("operation", otherwise);
  if (given !== resource || !operations.includes(operation))
    throw new NotConverted(`the operation “${given}: ${operation}”`);
  return operation;
}

const slack = each((around) => {
  only(around, "message", ["post"], "message", "post");
  const { parameters } = around;
  const isPerson = parameters.text("select", "channel") === "user";
  const channel = template(around, isPerson ? "user" : parameters.has("channelId") ? "channelId" : "channel");
  const kind = parameters.text("messageType", "text");
  if (kind === "attachment") throw new NotConverted("a message with attachments");
  const blocks = kind === "block" ? { blocks: `{{ (${parameters.code("blocksUi")}).blocks }}` } : {};
  const thread = parameters.has("otherOptions.thread_ts.replyValues.thread_ts")
    ? { thread_ts: template(around, "otherOptions.thread_ts.replyValues.thread_ts") }
    : {};
  const body = { channel, text: template(around, "text"), ...blocks, ...thread };
  return request(around, "POST", "https://slack.com/api/chat.postMessage", body);
});

const telegram = each((around) => {
  const operation = only(around, "message", ["sendMessage", "deleteMessage"], "message", "sendMessage");
  const { parameters } = around;
  const name = around.credential("secret") ?? "telegram";
  const extra = parameters.has("additionalFields.parse_mode")
    ? { parse_mode: template(around, "additionalFields.parse_mode") }
    : {};
  const reply = parameters.has("additionalFields.reply_to_message_id")
    ? { reply_parameters: { message_id: template(around, "additionalFields.reply_to_message_id") } }
    : {};
  const body =
    operation === "deleteMessage"
      ? { chat_id: template(around, "chatId"), message_id: template(around, "messageId") }
      : { chat_id: template(around, "chatId"), text: template(around, "text"), ...extra, ...reply };
  return {
    type: "http-request",
    config: {
      method: "POST",
      url: `https://api.telegram.org/bot{{ $credentials[${JSON.stringify(name)}] }}/${operation}`,
      body,
      bodyType: "json",
    },
    json: (output) => `${output}.body`,
  };
});

const discord = each((around) => {
  const { node, parameters } = around;
  if (node.version >= 2 && parameters.text("authentication", "botToken") !== "webhook") {
    throw new NotConverted("messages of a bot");
  }
  const name = around.credential("secret") ?? "discord";
  const url = parameters.has("webhookUri")
    ? template(around, "webhookUri")
    : `{{ $credentials[${JSON.stringify(name)}] }}`;
  return {
    type: "http-request",
    config: {
      method: "POST",
      url,
      body: { content: template(around, parameters.has("content") ? "content" : "text") },
      bodyType: "json",
    },
    json: (output) => `({ success: ${output}.status < 300 })`,
  };
});

const openAi = each((around) => {
  const { node, parameters } = around;
  const isNew = node.fullType.includes("langchain");
  const resource = parameters.text("resource", "text");
  const operation = parameters.text("operation", isNew ? "message" : "complete");
  const isChat = isNew ? resource === "text" && ["message", "response"].includes(operation) : resource === "chat";
  if (!isChat) throw new NotConverted(`the operation “${resource}: ${operation}”`);
  const path = isNew ? (operation === "response" ? "responses.values" : "messages.values") : "prompt.messages";
  const messages = parameters.entries(path).map((entry) => ({
    role: entry.text("role", "user"),
    content: asTemplate(entry.value("content")) as Json,
  }));
  if (messages.length === 0) throw new NotConverted("a message without text");
  const options: Record<string, Json> = {};
  for (const [from, to] of [
    ["temperature", "temperature"],
    ["maxTokens", "max_tokens"],
    ["topP", "top_p"],
  ] as const) {
    if (parameters.has(`options.${from}`)) options[to] = template(around, `options.${from}`);
  }
  if (parameters.flag("jsonOutput")) options.response_format = { type: "json_object" };
  const model = parameters.has("modelId")
    ? template(around, "modelId")
    : parameters.has("model")
      ? template(around, "model")
      : "gpt-4o-mini";
  const body = { model, messages, ...options };
  const made = request(around, "POST", "https://api.openai.com/v1/chat/completions", body);
  if (!isNew || !parameters.flag("simplify", true)) return made;
  return { ...made, json: (output: string) => `${output}.body.choices[0]` };
});

const airtable = each((around) => {
  const { node, parameters } = around;
  const operation = only(
    around,
    "record",
    ["get", "search", "list", "create", "update", "deleteRecord"],
    "record",
    node.version >= 2 ? "get" : "read",
  );
  const base = `https://api.airtable.com/v0/${template(around, parameters.has("base") ? "base" : "application")}/${template(around, "table")}`;
  if (operation === "get") return request(around, "GET", `${base}/${template(around, "id")}`, null);
  if (operation === "deleteRecord") return request(around, "DELETE", `${base}/${template(around, "id")}`, null);
  if (operation === "search" || operation === "list") {
    const formula = parameters.has("filterByFormula") ? { filterByFormula: template(around, "filterByFormula") } : {};
    const made = request(
      around,
      "GET",
      base,
      null,
      ".records.map((one) => ({ id: one.id, createdTime: one.createdTime, ...one.fields }))",
    );
    return { ...made, config: { ...made.config, query: formula }, gives: "list" };
  }
  const isAuto = parameters.text("columns.mappingMode", "defineBelow") === "autoMapInputData";
  const names = parameters.names("columns.value").filter((name) => name !== "id");
  const fields = isAuto ? `{{ ${around.reading.item.json} }}` : fieldsOf(around, names);
  if (operation === "create") return request(around, "POST", base, { fields });
  const id = asTemplate(parameters.memberValue("columns.value", "id"));
  if (typeof id !== "string" || id === "") throw new NotConverted("a change of a record that is not found by its id");
  return request(around, "PATCH", `${base}/${id}`, { fields });
});

/** Columns with their values. */
export function fieldsOf({ parameters }: Around, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.map((name) => [name, asTemplate(parameters.memberValue("columns.value", name)) as Json]),
  );
}

const github = each((around) => {
  const operation = only(around, "issue", ["create", "createComment", "get", "edit"], "issue", "create");
  const { parameters } = around;
  const issues = `https://api.github.com/repos/${template(around, "owner")}/${template(around, "repository")}/issues`;
  const body = parameters.has("body") ? { body: template(around, "body") } : {};
  if (operation === "create") return request(around, "POST", issues, { title: template(around, "title"), ...body });
  const issue = `${issues}/${template(around, "issueNumber")}`;
  if (operation === "get") return request(around, "GET", issue, null);
  if (operation === "createComment") return request(around, "POST", `${issue}/comments`, body);
  return request(around, "PATCH", issue, { ...(jsonTemplate(parameters, "editFields") as JsonObject) });
});

const emailSend = each((around) => {
  const { parameters } = around;
  if (parameters.text("operation", "send") !== "send") throw new NotConverted("a mail that waits for an answer");
  if (parameters.has("options.attachments") || parameters.has("attachments"))
    around.gap("The mail is sent without its attachments.");
  const format = parameters.text(
    "emailFormat",
    parameters.has("html") ? (parameters.has("text") ? "both" : "html") : "text",
  );
  const optional = (name: string, paths: readonly string[]) => {
    const path = paths.find((one) => parameters.has(one));
    return path === undefined ? {} : { [name]: people(around, path) };
  };
  const credential = around.credential("smtp");
  return {
    type: "send-mail",
    config: {
      to: people(around, parameters.has("toEmail") ? "toEmail" : "sendTo"),
      subject: template(around, "subject"),
      ...(format === "html" ? {} : { text: template(around, "text") }),
      ...(format === "text" ? {} : { html: template(around, "html") }),
      ...(parameters.has("fromEmail") ? { from: template(around, "fromEmail") } : {}),
      ...optional("cc", ["options.ccEmail", "ccEmail"]),
      ...optional("bcc", ["options.bccEmail", "bccEmail"]),
      ...optional("replyTo", ["options.replyTo"]),
      ...(credential === undefined ? {} : { credential }),
    },
    json: (output) => output,
  };
});

/** A comma-separated list of addresses. */
function people(around: Around, path: string): Json {
  const given = template(around, path);
  if (typeof given !== "string" || given.includes("{{") || !given.includes(",")) return given;
  return given.split(",").flatMap((one) => (one.trim() === "" ? [] : [one.trim()]));
}

const gmail = each((around) => {
  only(around, "message", ["send"], "message", "send");
  const { parameters } = around;
  around.gap(
    "Gmail is reached as a mail server here: smtp.gmail.com, with an app password, in a credential of type smtp.",
  );
  const isHtml = parameters.text("emailType", "html") === "html";
  const credential = around.credential("smtp");
  const cc = parameters.has("options.ccList") ? { cc: people(around, "options.ccList") } : {};
  const bcc = parameters.has("options.bccList") ? { bcc: people(around, "options.bccList") } : {};
  return {
    type: "send-mail",
    config: {
      to: people(around, "sendTo"),
      subject: template(around, "subject"),
      [isHtml ? "html" : "text"]: template(around, "message"),
      ...cc,
      ...bcc,
      ...(credential === undefined ? {} : { credential }),
    },
    json: (output) => output,
  };
});

export const serviceNodes: Readonly<Record<string, Converter>> = {
  slack,
  telegram,
  discord,
  openAi,
  airtable,
  github,
  emailSend,
  gmail,
};
