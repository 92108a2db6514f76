import type { Examples } from "./example.ts";

const slack = {
  id: "slack",
  name: "Slack",
  icon: { letters: "Sl", color: "#4a154b" },
  description: "Messages, channels, people and reactions of a Slack workspace.",
  isImported: false,
  baseUrl: "https://slack.com/api",
  baseUrlExample: null,
  sourceUrl: null,
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

const document = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://pets.example.com/v1" }],
  paths: { "/pets": { get: { operationId: "listPets", summary: "List pets" } } },
};

const pets = {
  ...slack,
  id: "svc_01kadjm4w8c2r6t0v4x8z2b6d0",
  name: "Pets",
  icon: { letters: "Pe", color: "#3f7d4e" },
  description: "A shop of pets.",
  isImported: true,
  baseUrl: "https://pets.example.com/v1",
  sourceUrl: "https://pets.example.com/openapi.json",
  operationCount: 1,
  updatedAt: "2026-01-31T09:30:00.000Z",
  skipped: [],
};

export const serviceExamples: Examples = {
  "GET /services": { answer: slack },
  "POST /services": {
    body: { name: "Pets", document },
    answer: pets,
  },
  "PUT /services/:id": {
    body: { document },
    answer: {
      ...pets,
      changes: { added: ["addPet"], removed: [], changed: ["listPets"] },
      flows: [
        {
          flowId: "flow_01kad6w1m4e8tvm8d9fqzc4x2r",
          flowName: "Order intake",
          nodes: [{ id: "pets", operation: "listPets", change: "changed" }],
        },
      ],
    },
  },
  "DELETE /services/:id": {},
  "GET /services/:id/uses": {
    answer: [
      {
        flowId: "flow_01kad6w1m4e8tvm8d9fqzc4x2r",
        flowName: "Order intake",
        flowStatus: "active",
        nodes: [{ id: "pets", name: "List the pets", operation: "listPets" }],
      },
    ],
  },
  "GET /operations": { answer: sendMessage },
  "GET /services/:id": { answer: { ...slack, operations: [sendMessage] } },
  "GET /services/:id/operations/:operationId": {
    answer: {
      ...sendMessage,
      description: "",
      parametersSchema: null,
      bodySchema: {
        type: "object",
        properties: { channel: { type: "string", title: "Channel" }, text: { type: "string", title: "Text" } },
        required: ["channel"],
      },
      answerSchema: { type: "object", properties: { ok: { type: "boolean" }, ts: { type: "string" } } },
      baseUrl: null,
      hasPages: false,
      docs: "https://docs.slack.dev/reference/methods/chat.postMessage",
    },
  },
};
