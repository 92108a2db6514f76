import type { Examples } from "./example.ts";

const url = "https://hooks.example.com/millrace";
const events = ["execution.completed", "execution.failed"];
const createdAt = "2026-01-31T09:30:00.000Z";
const attemptedAt = "2026-01-31T10:30:01.000Z";
const deliveryId = "019b3c2e-7a10-7c3f-9d52-6f0b8e1a4c77";

const subscription = {
  id: "sub_01kadab5x9n4zs07t2rp8wc3ye",
  url,
  events,
  active: true,
  createdAt,
  updatedAt: createdAt,
  lastDelivery: { id: deliveryId, event: "execution.failed", status: "delivered", statusCode: 204, attemptedAt },
};

const delivery = {
  id: deliveryId,
  event: "execution.failed",
  executionId: "exec_01kad7c9p2f6atqxv3m0wz8y5n",
  status: "delivered",
  attempts: 1,
  createdAt: "2026-01-31T10:30:00.842Z",
  lastAttemptAt: attemptedAt,
  nextAttemptAt: null,
  statusCode: 204,
  responseBody: "",
  error: null,
  requestBody:
    '{"event":"execution.failed","timestamp":"2026-01-31T10:30:00.842Z","data":{"executionId":"exec_01kad7c9p2f6atqxv3m0wz8y5n"}}',
};

export const webhookExamples: Examples = {
  "GET /webhooks": { answer: subscription },
  "POST /webhooks": {
    body: { url, events },
    answer: { ...subscription, lastDelivery: null, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
  },
  "GET /webhooks/:id": { answer: subscription },
  "PATCH /webhooks/:id": { body: { active: false }, answer: { ...subscription, active: false } },
  "DELETE /webhooks/:id": {},
  "POST /webhooks/:id/test": { answer: { ...delivery, executionId: null } },
  "GET /webhooks/:id/deliveries": { answer: delivery },
  "GET /webhooks/:id/deliveries/:deliveryId": { answer: delivery },
  "POST /webhooks/:id/deliveries/:deliveryId/redeliver": { answer: { ...delivery, attempts: 2 } },
};
