import type { Examples } from "./example.ts";

const createdAt = "2026-01-31T09:30:00.000Z";

const apiKey = {
  id: "key_01kadbc6y0p5a0183sq9xd4zfg",
  name: "Shop",
  prefix: "mr_4kT9",
  scopes: ["flows:read", "flows:execute"],
  expiresAt: "2026-12-31T23:59:59.999Z",
  lastUsedAt: null,
  createdAt,
};
const key = "mr_4kT9wXq2ZrB7nVc5LmHs8JdF3gYp6Ua1";

const credential = {
  id: "cred_01kadcd7z1q6b1294trayee50h",
  name: "prices",
  type: "bearer",
  allowedHosts: ["prices.example.com"],
  createdAt,
  updatedAt: createdAt,
};

export const accessExamples: Examples = {
  "GET /api-keys": { answer: apiKey },
  "POST /api-keys": {
    body: { name: "Shop", scopes: ["flows:read", "flows:execute"], expiresAt: "2026-12-31" },
    answer: { ...apiKey, key },
  },
  "POST /api-keys/:id/rotate": { body: { graceSeconds: 3600 }, answer: { ...apiKey, key } },
  "DELETE /api-keys/:id": {},
  "GET /credentials": { answer: credential },
  "POST /credentials": {
    body: {
      name: "prices",
      type: "bearer",
      data: { token: "the token that the service gave you" },
      allowedHosts: ["prices.example.com"],
    },
    answer: credential,
  },
  "GET /credentials/:id": { answer: credential },
  "PATCH /credentials/:id": { body: { data: { token: "its successor" } }, answer: credential },
  "DELETE /credentials/:id": {},
  "POST /credentials/:id/test": {
    body: { url: "https://prices.example.com/v1/me" },
    answer: { ok: true, message: "prices.example.com answered with 200." },
  },
  "POST /credentials/:id/connect": {
    answer: {
      url: "https://login.example.com/authorize?response_type=code&client_id=millrace&state=…",
      expiresAt: "2026-01-31T09:40:00.000Z",
    },
  },
  "GET /oauth/callback": {},
  "GET /credentials/:id/uses": {
    answer: [
      {
        flowId: "flow_01kad6z3q8e5vr2xkn7m4wb9tc",
        flowName: "Order intake",
        flowStatus: "active",
        byTrigger: false,
        nodes: [{ id: "rate", name: "Ask for the rate" }],
      },
    ],
  },
};
