import type { Json } from "#lib/engine/json.ts";
import { asTemplate } from "../expressions/read-value.ts";
import { NotConverted } from "../source.ts";
import { type Around, type Converter, perItem } from "./convert-node.ts";
import { chosen, only, request, template } from "./service-request.ts";

const slackFlags = ["link_names", "mrkdwn", "unfurl_links", "unfurl_media"] as const;

const slack = perItem((context) => {
  only(context, "message", ["post"], "message", "post");
  const { parameters } = context;
  const isPerson = parameters.text("select", "channel") === "user";
  const channel = chosen(
    context,
    isPerson ? "user" : parameters.has("channelId") ? "channelId" : "channel",
    /app\.slack\.com\/client\/[^/]+\/([A-Za-z0-9]+)/,
  );
  const kind = parameters.text("messageType", "text");
  if (kind === "attachment") throw new NotConverted("a message with attachments");
  const blocks = kind === "block" ? { blocks: `{{ (${parameters.code("blocksUi")}).blocks }}` } : {};
  const thread = parameters.has("otherOptions.thread_ts.replyValues.thread_ts")
    ? { thread_ts: template(context, "otherOptions.thread_ts.replyValues.thread_ts") }
    : {};
  const flags: Record<string, Json> = {};
  for (const name of slackFlags) {
    const value = parameters.at(`otherOptions.${name}`);
    if (typeof value === "boolean") flags[name] = value;
  }
  parameters.reportOthers("otherOptions", [...slackFlags, "thread_ts", "includeLinkToWorkflow"]);
  const body = { channel, text: template(context, "text"), ...blocks, ...thread, ...flags };
  return request(context, "POST", "https://slack.com/api/chat.postMessage", body);
});

/** The rows of buttons under a message. */
function buttonsOf(parameters: Around["parameters"]): Json[] {
  return parameters.entries("inlineKeyboard.rows").map((row) =>
    row.entries("row.buttons").map((button) => {
      const more = button
        .names("additionalFields")
        .map((name) => [name, asTemplate(button.memberValue("additionalFields", name)) as Json]);
      return { text: asTemplate(button.value("text")) as Json, ...Object.fromEntries(more) };
    }),
  );
}

const telegramFields = [
  ...["parse_mode", "reply_to_message_id", "message_thread_id", "disable_notification"],
  ...["disable_web_page_preview", "appendAttribution"],
];

const telegram = perItem((context) => {
  const operation = only(context, "message", ["sendMessage", "deleteMessage"], "message", "sendMessage");
  const { parameters } = context;
  const name = context.credential("secret") ?? "telegram";
  const mode = parameters.has("additionalFields.parse_mode")
    ? template(context, "additionalFields.parse_mode")
    : "Markdown";
  const extra: Record<string, Json> = { parse_mode: mode };
  if (parameters.has("additionalFields.message_thread_id"))
    extra.message_thread_id = template(context, "additionalFields.message_thread_id");
  if (parameters.flag("additionalFields.disable_notification")) extra.disable_notification = true;
  if (parameters.flag("additionalFields.disable_web_page_preview")) extra.link_preview_options = { is_disabled: true };
  parameters.reportOthers("additionalFields", telegramFields);
  const markup = parameters.at("replyMarkup") ?? "none";
  if (markup === "inlineKeyboard") extra.reply_markup = { inline_keyboard: buttonsOf(parameters) };
  else if (markup !== "none" && markup !== "") context.gap("The keyboard under the message is left out.");
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
  parameters.reportOthers("options", []);
  if (parameters.entries("embeds.values").length + parameters.entries("files.values").length > 0)
    context.gap("The message is sent without its embeds and files.");
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
  const messages = parameters.entries(path).map((entry) => {
    if (entry.text("type", "text") !== "text") throw new NotConverted("a message with a file");
    return { role: entry.text("role", "user"), content: asTemplate(entry.value("content")) as Json };
  });
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
  parameters.reportOthers("options", ["temperature", "maxTokens", "topP"]);
  const model = parameters.has("modelId")
    ? template(context, "modelId")
    : parameters.has("model")
      ? template(context, "model")
      : "gpt-4o-mini";
  const body = { model, messages, ...options };
  const made = request(context, "POST", "https://api.openai.com/v1/chat/completions", body);
  if (!isNew || !parameters.flag("simplify", true)) return made;
  if (operation === "message") return { ...made, json: (output: string) => `${output}.body.choices[0]` };
  // In the form of the newer API, which expressions read.
  return {
    ...made,
    json: (output: string) =>
      `({ output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: ${output}.body.choices[0].message.content }] }] })`,
  };
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
  parameters.reportOthers("options", ["attachments", "ccEmail", "bccEmail", "replyTo", "appendAttribution"]);
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
  const replyTo = parameters.has("options.replyTo") ? { replyTo: people(context, "options.replyTo") } : {};
  parameters.reportOthers("options", ["ccList", "bccList", "replyTo", "appendAttribution"]);
  const bcc = parameters.has("options.bccList") ? { bcc: people(context, "options.bccList") } : {};
  return {
    type: "send-mail",
    config: {
      to: people(context, "sendTo"),
      subject: template(context, "subject"),
      [isHtml ? "html" : "text"]: template(context, "message"),
      ...cc,
      ...bcc,
      ...replyTo,
      ...(credential === undefined ? {} : { credential }),
    },
    json: (output) => output,
  };
});

export const messageNodes: Readonly<Record<string, Converter>> = { slack, telegram, discord, openAi, emailSend, gmail };
