import type { Json, JsonObject } from "#lib/engine/json.ts";
import { asTemplate } from "../expressions/read-value.ts";
import { NotConverted } from "../source.ts";
import { type Around, type Converter, perItem } from "./convert-node.ts";
import { jsonTemplate } from "./requests.ts";

const template = ({ parameters }: Around, path: string): Json => (parameters.template(path) ?? "") as Json;

/** A request to a service's API; the item is in the answer's body. */
function request(context: Around, method: string, url: string, body: JsonObject | null, json = "") {
  const credential = context.credential("bearer");
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
  context: Around,
  resource: string,
  operations: readonly string[],
  resourceOtherwise: string,
  otherwise: string,
): string {
  const { parameters } = context;
  const given = parameters.text("resource", resourceOtherwise);
  const operation = parameters.text("operation", otherwise);
  if (given !== resource || !operations.includes(operation))
    throw new NotConverted(`the operation “${given}: ${operation}”`);
  return operation;
}

const slack = perItem((context) => {
  only(context, "message", ["post"], "message", "post");
  const { parameters } = context;
  const isPerson = parameters.text("select", "channel") === "user";
  const channel = template(context, isPerson ? "user" : parameters.has("channelId") ? "channelId" : "channel");
  const kind = parameters.text("messageType", "text");
  if (kind === "attachment") throw new NotConverted("a message with attachments");
  const blocks = kind === "block" ? { blocks: `{{ (${parameters.code("blocksUi")}).blocks }}` } : {};
  const thread = parameters.has("otherOptions.thread_ts.replyValues.thread_ts")
    ? { thread_ts: template(context, "otherOptions.thread_ts.replyValues.thread_ts") }
    : {};
  const body = { channel, text: template(context, "text"), ...blocks, ...thread };
  return request(context, "POST", "https://slack.com/api/chat.postMessage", body);
});

const telegram = perItem((context) => {
  const operation = only(context, "message", ["sendMessage", "deleteMessage"], "message", "sendMessage");
  const { parameters } = context;
  const name = context.credential("secret") ?? "telegram";
  const extra = parameters.has("additionalFields.parse_mode")
    ? { parse_mode: template(context, "additionalFields.parse_mode") }
    : {};
  const reply = parameters.has("additionalFields.reply_to_message_id")
    ? { reply_parameters: { message_id: template(context, "additionalFields.reply_to_message_id") } }
    : {};
  const body =
    operation === "deleteMessage"
      ? { chat_id: template(context, "chatId"), message_id: template(context, "messageId") }
      : { chat_id: template(context, "chatId"), text: template(context, "text"), ...extra, ...reply };
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

const discord = perItem((context) => {
  const { node, parameters } = context;
  if (node.version >= 2 && parameters.text("authentication", "botToken") !== "webhook") {
    throw new NotConverted("messages of a bot");
  }
  const name = context.credential("secret") ?? "discord";
  const url = parameters.has("webhookUri")
    ? template(context, "webhookUri")
    : `{{ $credentials[${JSON.stringify(name)}] }}`;
  return {
    type: "http-request",
    config: {
      method: "POST",
      url,
      body: { content: template(context, parameters.has("content") ? "content" : "text") },
      bodyType: "json",
    },
    json: (output) => `({ success: ${output}.status < 300 })`,
  };
});

const openAi = perItem((context) => {
  const { node, parameters } = context;
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
    if (parameters.has(`options.${from}`)) options[to] = template(context, `options.${from}`);
  }
  if (parameters.flag("jsonOutput")) options.response_format = { type: "json_object" };
  const model = parameters.has("modelId")
    ? template(context, "modelId")
    : parameters.has("model")
      ? template(context, "model")
      : "gpt-4o-mini";
  const body = { model, messages, ...options };
  const made = request(context, "POST", "https://api.openai.com/v1/chat/completions", body);
  if (!isNew || !parameters.flag("simplify", true)) return made;
  return { ...made, json: (output: string) => `${output}.body.choices[0]` };
});

const airtable = perItem((context) => {
  const { node, parameters } = context;
  const operation = only(
    context,
    "record",
    ["get", "search", "list", "create", "update", "deleteRecord"],
    "record",
    node.version >= 2 ? "get" : "read",
  );
  const base = `https://api.airtable.com/v0/${template(context, parameters.has("base") ? "base" : "application")}/${template(context, "table")}`;
  if (operation === "get") return request(context, "GET", `${base}/${template(context, "id")}`, null);
  if (operation === "deleteRecord") return request(context, "DELETE", `${base}/${template(context, "id")}`, null);
  if (operation === "search" || operation === "list") {
    const formula = parameters.has("filterByFormula") ? { filterByFormula: template(context, "filterByFormula") } : {};
    const made = request(
      context,
      "GET",
      base,
      null,
      ".records.map((one) => ({ id: one.id, createdTime: one.createdTime, ...one.fields }))",
    );
    return { ...made, config: { ...made.config, query: formula }, gives: "list" };
  }
  const isAuto = parameters.text("columns.mappingMode", "defineBelow") === "autoMapInputData";
  const names = parameters.names("columns.value").filter((name) => name !== "id");
  const fields = isAuto ? `{{ ${context.reading.item.json} }}` : fieldsOf(context, names);
  if (operation === "create") return request(context, "POST", base, { fields });
  const id = asTemplate(parameters.memberValue("columns.value", "id"));
  if (typeof id !== "string" || id === "") throw new NotConverted("a change of a record that is not found by its id");
  return request(context, "PATCH", `${base}/${id}`, { fields });
});

/** Columns with their values. */
export function fieldsOf({ parameters }: Around, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.map((name) => [name, asTemplate(parameters.memberValue("columns.value", name)) as Json]),
  );
}

const github = perItem((context) => {
  const operation = only(context, "issue", ["create", "createComment", "get", "edit"], "issue", "create");
  const { parameters } = context;
  const issues = `https://api.github.com/repos/${template(context, "owner")}/${template(context, "repository")}/issues`;
  const body = parameters.has("body") ? { body: template(context, "body") } : {};
  if (operation === "create") return request(context, "POST", issues, { title: template(context, "title"), ...body });
  const issue = `${issues}/${template(context, "issueNumber")}`;
  if (operation === "get") return request(context, "GET", issue, null);
  if (operation === "createComment") return request(context, "POST", `${issue}/comments`, body);
  return request(context, "PATCH", issue, { ...(jsonTemplate(parameters, "editFields") as JsonObject) });
});

const emailSend = perItem((context) => {
  const { parameters } = context;
  if (parameters.text("operation", "send") !== "send") throw new NotConverted("a mail that waits for an answer");
  if (parameters.has("options.attachments") || parameters.has("attachments"))
    context.gap("The mail is sent without its attachments.");
  const format = parameters.text(
    "emailFormat",
    parameters.has("html") ? (parameters.has("text") ? "both" : "html") : "text",
  );
  const optional = (name: string, paths: readonly string[]) => {
    const path = paths.find((candidate) => parameters.has(candidate));
    return path === undefined ? {} : { [name]: people(context, path) };
  };
  const credential = context.credential("smtp");
  return {
    type: "send-mail",
    config: {
      to: people(context, parameters.has("toEmail") ? "toEmail" : "sendTo"),
      subject: template(context, "subject"),
      ...(format === "html" ? {} : { text: template(context, "text") }),
      ...(format === "text" ? {} : { html: template(context, "html") }),
      ...(parameters.has("fromEmail") ? { from: template(context, "fromEmail") } : {}),
      ...optional("cc", ["options.ccEmail", "ccEmail"]),
      ...optional("bcc", ["options.bccEmail", "bccEmail"]),
      ...optional("replyTo", ["options.replyTo"]),
      ...(credential === undefined ? {} : { credential }),
    },
    json: (output) => output,
  };
});

/** A comma-separated list of addresses. */
function people(context: Around, path: string): Json {
  const given = template(context, path);
  if (typeof given !== "string" || given.includes("{{") || !given.includes(",")) return given;
  return given.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
}

const gmail = perItem((context) => {
  only(context, "message", ["send"], "message", "send");
  const { parameters } = context;
  context.gap(
    "Gmail is reached as a mail server here: smtp.gmail.com, with an app password, in a credential of type smtp.",
  );
  const isHtml = parameters.text("emailType", "html") === "html";
  const credential = context.credential("smtp");
  const cc = parameters.has("options.ccList") ? { cc: people(context, "options.ccList") } : {};
  const bcc = parameters.has("options.bccList") ? { bcc: people(context, "options.bccList") } : {};
  return {
    type: "send-mail",
    config: {
      to: people(context, "sendTo"),
      subject: template(context, "subject"),
      [isHtml ? "html" : "text"]: template(context, "message"),
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
