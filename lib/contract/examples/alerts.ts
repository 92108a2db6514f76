import type { Examples } from "./example.ts";

const createdAt = "2026-01-31T09:30:00.000Z";
const flowId = "flow_01kad6z3q8e5vr2xkn7m4wb9tc";

const rule = {
  id: "rule_01kade9b2x7d8f3hq5m6n0w4yt",
  name: "Orders fail",
  kind: "failures_in_row",
  flowId,
  flowName: "Order intake",
  threshold: 3,
  windowMinutes: 60,
  quietMinutes: 60,
  emails: ["ada@example.com"],
  active: true,
  lastAlertAt: null,
  createdAt,
  updatedAt: createdAt,
};

const alert = {
  id: "alert_01kadf0c3y8e9g4jr6n7p1x5zv",
  ruleId: rule.id,
  ruleName: rule.name,
  kind: rule.kind,
  flowId,
  flowName: "Order intake",
  executionId: "exec_01kad7c9p2f6atqxv3m0wz8y5n",
  message: "The last 3 runs of Order intake failed",
  at: "2026-01-31T10:30:12.000Z",
};

export const alertExamples: Examples = {
  "GET /alert-rules": { answer: rule },
  "POST /alert-rules": {
    body: { name: "Orders fail", kind: "failures_in_row", flowId, threshold: 3, emails: ["ada@example.com"] },
    answer: rule,
  },
  "GET /alert-rules/:id": { answer: rule },
  "PATCH /alert-rules/:id": { body: { quietMinutes: 240 }, answer: { ...rule, quietMinutes: 240 } },
  "DELETE /alert-rules/:id": {},
  "GET /alerts": { answer: alert },
};
