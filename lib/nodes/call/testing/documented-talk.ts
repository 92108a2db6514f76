import type { Documented } from "./documented.ts";

/** Requests from the documentation of chat and mail services. */
export const documentedExchange: Documented = {
  slack: [
    ["send-message", {}, { channel: "C1", text: "hi", thread_ts: "1.2" }, "POST /api/chat.postMessage", "same"],
    ["update-message", {}, { channel: "C1", ts: "1.2", text: "new" }, "POST /api/chat.update", "same"],
    ["delete-message", {}, { channel: "C1", ts: "1.2" }, "POST /api/chat.delete", "same"],
    ["add-reaction", {}, { channel: "C1", timestamp: "1.2", name: "eyes" }, "POST /api/reactions.add", "same"],
    [
      "list-channels",
      { types: "public_channel,im", exclude_archived: true, limit: 5 },
      {},
      "GET /api/conversations.list?types=public_channel%2Cim&exclude_archived=true&limit=5",
    ],
    ["create-channel", {}, { name: "new", is_private: true }, "POST /api/conversations.create", "same"],
    ["invite-to-channel", {}, { channel: "C1", users: "U1,U2" }, "POST /api/conversations.invite", "same"],
    ["read-history", { channel: "C1", oldest: "1.0" }, {}, "GET /api/conversations.history?channel=C1&oldest=1.0"],
    ["find-person-by-email", { email: "a@b.test" }, {}, "GET /api/users.lookupByEmail?email=a%40b.test"],
    ["list-people", {}, {}, "GET /api/users.list"],
  ],
  discord: [
    ["send-message", { channel_id: "1" }, { content: "hi" }, "POST /api/v10/channels/1/messages", "same"],
    [
      "update-message",
      { channel_id: "1", message_id: "2" },
      { content: "x" },
      "PATCH /api/v10/channels/1/messages/2",
      "same",
    ],
    ["delete-message", { channel_id: "1", message_id: "2" }, {}, "DELETE /api/v10/channels/1/messages/2"],
    ["list-messages", { channel_id: "1", limit: 5 }, {}, "GET /api/v10/channels/1/messages?limit=5"],
    [
      "add-reaction",
      { channel_id: "1", message_id: "2", emoji: "🔥" },
      {},
      "PUT /api/v10/channels/1/messages/2/reactions/%F0%9F%94%A5/@me",
    ],
    ["create-channel", { guild_id: "9" }, { name: "n", type: 0 }, "POST /api/v10/guilds/9/channels", "same"],
    ["list-members", { guild_id: "9", limit: 10 }, {}, "GET /api/v10/guilds/9/members?limit=10"],
    ["add-role", { guild_id: "9", user_id: "8", role_id: "7" }, {}, "PUT /api/v10/guilds/9/members/8/roles/7"],
    [
      "start-thread",
      { channel_id: "1", message_id: "2" },
      { name: "t", auto_archive_duration: "60" },
      "POST /api/v10/channels/1/messages/2/threads",
      { name: "t", auto_archive_duration: 60 },
    ],
  ],
  telegram: [
    ["send-message", {}, { chat_id: "5", text: "hi", parse_mode: "HTML" }, "POST /botthe-token/sendMessage", "same"],
    ["edit-message", {}, { chat_id: "5", message_id: 1, text: "x" }, "POST /botthe-token/editMessageText", "same"],
    ["delete-message", {}, { chat_id: "5", message_id: 1 }, "POST /botthe-token/deleteMessage", "same"],
    ["send-photo", {}, { chat_id: "5", photo: "https://x.test/a.png" }, "POST /botthe-token/sendPhoto", "same"],
    ["send-document", {}, { chat_id: "5", document: "FILE" }, "POST /botthe-token/sendDocument", "form with file"],
    ["answer-callback", {}, { callback_query_id: "q" }, "POST /botthe-token/answerCallbackQuery", "same"],
    ["read-chat", { chat_id: "@c" }, {}, "GET /botthe-token/getChat?chat_id=%40c"],
  ],
  gmail: [
    [
      "send-mail",
      {},
      { to: "a@b.test\r\nBcc: x@y.test", subject: "Grüße", text: "Hi\nthere" },
      "POST /gmail/v1/users/me/messages/send",
      {
        raw: Buffer.from(
          "To: a@b.test Bcc: x@y.test\r\nSubject: =?UTF-8?B?R3LDvMOfZQ==?=\r\nMIME-Version: 1.0\r\n" +
            "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nSGkKdGhlcmU=",
        ).toString("base64url"),
      },
    ],
    [
      "create-draft",
      {},
      { to: "a@b.test", subject: "S", html: "<b>x</b>", threadId: "t1" },
      "POST /gmail/v1/users/me/drafts",
      {
        message: {
          raw: Buffer.from(
            "To: a@b.test\r\nSubject: S\r\nMIME-Version: 1.0\r\n" +
              "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nPGI+eDwvYj4=",
          ).toString("base64url"),
          threadId: "t1",
        },
      },
    ],
    [
      "find-mails",
      { q: "is:unread", labelIds: ["A", "B"] },
      {},
      "GET /gmail/v1/users/me/messages?q=is%3Aunread&labelIds=A&labelIds=B",
    ],
    ["read-mail", { id: "m1", format: "full" }, {}, "GET /gmail/v1/users/me/messages/m1?format=full"],
    [
      "change-labels",
      { id: "m1" },
      { removeLabelIds: ["UNREAD"] },
      "POST /gmail/v1/users/me/messages/m1/modify",
      "same",
    ],
    ["trash-mail", { id: "m1" }, {}, "POST /gmail/v1/users/me/messages/m1/trash"],
    ["list-labels", {}, {}, "GET /gmail/v1/users/me/labels"],
  ],
  "microsoft-graph": [
    [
      "send-mail",
      {},
      { to: ["a@b.test"], subject: "S", content: "hi" },
      "POST /v1.0/me/sendMail",
      {
        message: {
          subject: "S",
          body: { contentType: "text", content: "hi" },
          toRecipients: [{ emailAddress: { address: "a@b.test" } }],
        },
        saveToSentItems: true,
      },
    ],
    [
      "find-mails",
      { $filter: "isRead eq false", $top: 5 },
      {},
      "GET /v1.0/me/messages?%24filter=isRead+eq+false&%24top=5",
    ],
    ["read-mail", { id: "m=" }, {}, "GET /v1.0/me/messages/m%3D"],
    ["reply-mail", { id: "m" }, { comment: "ok" }, "POST /v1.0/me/messages/m/reply", "same"],
    [
      "create-event",
      {},
      { subject: "E", start: "2026-01-31T10:00:00", end: "2026-01-31T11:00:00", attendees: ["a@b.test"] },
      "POST /v1.0/me/events",
      {
        subject: "E",
        start: { dateTime: "2026-01-31T10:00:00", timeZone: "UTC" },
        end: { dateTime: "2026-01-31T11:00:00", timeZone: "UTC" },
        attendees: [{ emailAddress: { address: "a@b.test" }, type: "required" }],
      },
    ],
    [
      "send-channel-message",
      { teamId: "t", channelId: "19:c@thread.tacv2" },
      { content: "hi", contentType: "html" },
      "POST /v1.0/teams/t/channels/19%3Ac%40thread.tacv2/messages",
      { body: { contentType: "html", content: "hi" } },
    ],
    [
      "send-chat-message",
      { chatId: "c" },
      { content: "hi" },
      "POST /v1.0/chats/c/messages",
      { body: { contentType: "text", content: "hi" } },
    ],
    ["list-teams", {}, {}, "GET /v1.0/me/joinedTeams"],
    ["list-channels", { teamId: "t" }, {}, "GET /v1.0/teams/t/channels"],
  ],
  twilio: [
    [
      "send-message",
      { AccountSid: "AC1" },
      { To: "+491", From: "+492", Body: "hi & bye", MediaUrl: ["https://a.test/1", "https://a.test/2"] },
      "POST /2010-04-01/Accounts/AC1/Messages.json",
      "To=%2B491&From=%2B492&Body=hi+%26+bye&MediaUrl=https%3A%2F%2Fa.test%2F1&MediaUrl=https%3A%2F%2Fa.test%2F2",
    ],
    ["read-message", { AccountSid: "AC1", Sid: "SM1" }, {}, "GET /2010-04-01/Accounts/AC1/Messages/SM1.json"],
    ["list-messages", { AccountSid: "AC1", To: "+1" }, {}, "GET /2010-04-01/Accounts/AC1/Messages.json?To=%2B1"],
    ["delete-message", { AccountSid: "AC1", Sid: "SM1" }, {}, "DELETE /2010-04-01/Accounts/AC1/Messages/SM1.json"],
    [
      "call",
      { AccountSid: "AC1" },
      { To: "+1", From: "+2", Url: "https://x.test" },
      "POST /2010-04-01/Accounts/AC1/Calls.json",
      "To=%2B1&From=%2B2&Url=https%3A%2F%2Fx.test",
    ],
    ["list-calls", { AccountSid: "AC1", PageSize: 5 }, {}, "GET /2010-04-01/Accounts/AC1/Calls.json?PageSize=5"],
  ],
  sendgrid: [
    [
      "send-mail",
      {},
      { from: "Shop <s@b.test>", to: ["Ann <a@b.test>", "c@d.test"], subject: "S", text: "t", html: "<p>" },
      "POST /v3/mail/send",
      {
        personalizations: [{ to: [{ email: "a@b.test", name: "Ann" }, { email: "c@d.test" }] }],
        from: { email: "s@b.test", name: "Shop" },
        subject: "S",
        content: [
          { type: "text/plain", value: "t" },
          { type: "text/html", value: "<p>" },
        ],
      },
    ],
    [
      "send-template",
      {},
      { from: "s@b.test", to: ["a@b.test"], template_id: "d-1", data: { name: "Ann" } },
      "POST /v3/mail/send",
      {
        personalizations: [{ to: [{ email: "a@b.test" }], dynamic_template_data: { name: "Ann" } }],
        from: { email: "s@b.test" },
        template_id: "d-1",
      },
    ],
    ["upsert-contacts", {}, { contacts: [{ email: "a@b.test" }] }, "PUT /v3/marketing/contacts", "same"],
    ["find-contacts", {}, { emails: ["a@b.test"] }, "POST /v3/marketing/contacts/search/emails", "same"],
    ["list-lists", { page_size: 5 }, {}, "GET /v3/marketing/lists?page_size=5"],
    ["list-bounces", { start_time: 1 }, {}, "GET /v3/suppression/bounces?start_time=1&limit=500"],
  ],
};
