import type { Examples } from "./example.ts";

const slack = {
  id: "slack",
  name: "Slack",
  icon: { letters: "Sl", color: "#4a154b" },
  description: "Messages, channels, people and reactions of a Slack workspace.",
  isImported: false,
  baseUrl: "https://slack.com/api",
  baseUrlExample: null,
  credentials: [
    {
      type: "bearer",
      help: "A bot token (xoxb-…), from “OAuth & Permissions” of your app.",
      name: null,
      authorizationUrl: null,
      tokenUrl: null,
      scopes: null,
    },
  ],
  operationCount: 10,
  updatedAt: null,
};

const sendMessage = {
  service: "slack",
  id: "send-message",
  name: "Send a message",
  method: "POST",
  path: "/chat.postMessage",
  group: "Slack",
};

export const serviceExamples: Examples = {
  "GET /services": { answer: slack },
  "GET /operations": { answer: sendMessage },
  "GET /services/:id": { answer: { ...slack, operations: [sendMessage] } },
  "GET /services/:id/operations/:operationId": {
    answer: {
      ...sendMessage,
      description: "",
      parameters: null,
      body: {
        type: "object",
        properties: { channel: { type: "string", title: "Channel" }, text: { type: "string", title: "Text" } },
        required: ["channel"],
      },
      answer: { type: "object", properties: { ok: { type: "boolean" }, ts: { type: "string" } } },
      hasPages: false,
      docs: "https://docs.slack.dev/reference/methods/chat.postMessage",
    },
  },
};
