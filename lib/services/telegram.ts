import { z } from "zod";
import { answer, choice, file, flag, integer, object, someFlag, someNumber, someObject, text } from "./model/fields.ts";
import { defineService } from "./model/service.ts";

const docs = (method: string) => `https://core.telegram.org/bots/api#${method.toLowerCase()}`;
const chat = text("Chat", "The chat's id, or @name of a channel.");
const message = integer("Message", "The message's id.");
const mode = choice("Markup", "How the text is marked up.", ["MarkdownV2", "HTML", "Markdown"]).optional();
const keyboard = object("Keyboard", "Buttons under the message, such as an `inline_keyboard`.").optional();
const quiet = flag("Without sound", "Notifies without a sound.").optional();
const sent = answer({ ok: someFlag, result: answer({ message_id: someNumber, date: someNumber }) });

/** https://core.telegram.org/bots/api: the bot's token is part of the path. */
export const telegram = defineService({
  id: "telegram",
  name: "Telegram",
  icon: { letters: "Tg", color: "#1879ab" },
  description: "Messages, photos and files sent by a Telegram bot.",
  baseUrl: "https://api.telegram.org",
  credentials: [{ type: "bearer", help: "The bot's token, as BotFather gave it.", inPath: true }],
  refusal: (body) => {
    const { ok, description } = (body ?? {}) as { ok?: unknown; description?: unknown };
    return ok === false ? String(description ?? "refused") : null;
  },
  operations: () => [
    {
      id: "send-message",
      name: "Send a message",
      method: "POST",
      path: "/bot{credential}/sendMessage",
      body: z.object({
        chat_id: chat,
        text: text("Text", "The message, up to 4,096 characters."),
        parse_mode: mode,
        reply_markup: keyboard,
        disable_notification: quiet,
      }),
      answer: sent,
      docs: docs("sendMessage"),
    },
    {
      id: "edit-message",
      name: "Edit a message",
      method: "POST",
      path: "/bot{credential}/editMessageText",
      body: z.object({
        chat_id: chat,
        message_id: message,
        text: text("Text", "The new text."),
        parse_mode: mode,
        reply_markup: keyboard,
      }),
      answer: sent,
      docs: docs("editMessageText"),
    },
    {
      id: "delete-message",
      name: "Delete a message",
      method: "POST",
      path: "/bot{credential}/deleteMessage",
      body: z.object({ chat_id: chat, message_id: message }),
      answer: answer({ ok: someFlag, result: someFlag }),
      docs: docs("deleteMessage"),
    },
    {
      id: "send-photo",
      name: "Send a photo",
      method: "POST",
      path: "/bot{credential}/sendPhoto",
      body: z.object({
        chat_id: chat,
        photo: text("Photo", "Its URL, or the id that Telegram gave it."),
        caption: text("Caption", "Text under the photo.").optional(),
        parse_mode: mode,
        disable_notification: quiet,
      }),
      answer: sent,
      docs: docs("sendPhoto"),
    },
    {
      id: "send-document",
      name: "Send a file",
      method: "POST",
      path: "/bot{credential}/sendDocument",
      body: z.object({
        chat_id: chat,
        document: file("File", "A file of this flow."),
        caption: text("Caption", "Text under the file.").optional(),
      }),
      bodyType: "multipart",
      answer: sent,
      docs: docs("sendDocument"),
    },
    {
      id: "answer-callback",
      name: "Answer a button",
      method: "POST",
      path: "/bot{credential}/answerCallbackQuery",
      body: z.object({
        callback_query_id: text("Query", "The id that came with the button's press."),
        text: text("Text", "A short notice.").optional(),
        show_alert: flag("Alert", "Shows the text in a window.").optional(),
      }),
      answer: answer({ ok: someFlag, result: someFlag }),
      docs: docs("answerCallbackQuery"),
    },
    {
      id: "read-chat",
      name: "Read a chat",
      method: "GET",
      path: "/bot{credential}/getChat",
      parameters: z.object({ chat_id: chat }),
      answer: answer({ ok: someFlag, result: someObject }),
      docs: docs("getChat"),
    },
  ],
});
