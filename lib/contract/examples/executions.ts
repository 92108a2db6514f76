import type { Examples } from "./example.ts";

const id = "exec_01kad7c9p2f6atqxv3m0wz8y5n";
const flowId = "flow_01kad6w1m4e8tvm8d9fqzc4x2r";
const startedAt = "2026-01-31T10:30:00.000Z";
const completedAt = "2026-01-31T10:30:00.842Z";
const body = { items: [{ price: 12.5 }, { price: 30 }] };

const item = {
  id,
  flowId,
  flowName: "Order intake",
  status: "failed",
  trigger: { type: "webhook", data: body },
  startedAt,
  completedAt,
  duration: 842,
  nodesExecuted: 2,
  errorCount: 1,
  warningCount: 0,
  error: { message: "POST https://prices.example.com/quote answered 503", nodeId: "price", code: "HTTP_STATUS" },
};

const entry = {
  id: "1042",
  timestamp: completedAt,
  level: "error",
  nodeId: "price",
  message: "POST https://prices.example.com/quote answered 503",
};

const failedNode = {
  nodeId: "price",
  nodeName: "Ask for the price",
  type: "http-request",
  status: "failed",
  startedAt,
  completedAt,
  duration: 842,
  retries: 2,
};

const iteration = { iteration: "3", status: "failed", startedAt, completedAt, duration: 842, nodesExecuted: 1 };

export const executionExamples: Examples = {
  "GET /executions": { answer: { ...item, source: "webhook" } },
  "GET /executions/:id": {
    answer: {
      ...item,
      flowVersion: 3,
      trigger: { type: "webhook", data: body, timestamp: startedAt },
      nodes: [failedNode],
      output: null,
      error: { message: entry.message, nodeId: "price", code: "HTTP_STATUS" },
      metadata: { source: "webhook", ip: "203.0.113.7", userAgent: "curl/8.5.0" },
      warnings: [],
    },
  },
  "GET /executions/:id/logs": { answer: [entry] },
  "GET /executions/:id/stream": { answer: { id: 137_691_136, event: "log", data: entry } },
  "POST /executions/:id/cancel": {
    body: { reason: "Started by mistake" },
    answer: { id, status: "cancelled", cancelledAt: completedAt, reason: "Started by mistake" },
  },
  "POST /executions/:id/nodes/:nodeId/resume": {
    body: { action: "approve", note: "As agreed" },
    answer: { executionId: id, nodeId: "approval", resumedAt: completedAt },
  },
  "POST /events": {
    body: { key: "paid 17", data: { amount: 5 } },
    answer: { id: "evt_01kadt3b5d7f9h2k4m6p8r1t3v", key: "paid 17", createdAt: completedAt },
  },
  "GET /executions/:id/waits": {
    answer: [
      {
        nodeId: "approval",
        nodeName: "Approval",
        iteration: null,
        state: "answered",
        since: startedAt,
        until: null,
        hasForm: true,
        form: null,
        url: null,
        answeredAt: completedAt,
        answeredBy: "user_01kad6w1m4e8tvm8d9fqzc4x2r",
        answeredByName: "Anna Keller",
      },
    ],
  },
  "GET /approvals": {
    answer: [
      {
        executionId: id,
        flowId,
        flowName: item.flowName,
        nodeId: "approval",
        nodeName: "Approval",
        iteration: null,
        title: "Pay the invoice?",
        since: startedAt,
        until: null,
      },
    ],
  },
  "POST /executions/:id/retry": {
    body: { fromNode: "price" },
    answer: {
      executionId: "exec_01kad9k4w8m3yrz6s1qn7vb2xd",
      originalExecutionId: id,
      status: "running",
      startedAt: "2026-01-31T11:00:00.000Z",
    },
  },
  "DELETE /executions/:id": {},
  "DELETE /executions": {
    body: { flowId, status: "failed", olderThan: "2026-01-01T00:00:00.000Z" },
    answer: { deletedCount: 17, status: "17 executions deleted" },
  },
  "GET /executions/stats": {
    answer: {
      summary: {
        totalExecutions: 12,
        completed: 10,
        failed: 1,
        cancelled: 0,
        running: 1,
        successRate: 90.91,
        averageDuration: 42,
        totalDuration: 1262,
      },
      byStatus: { pending: 0, running: 1, completed: 10, failed: 1, cancelled: 0, timeout: 0 },
      byDay: [{ date: "2026-01-31", completed: 10, failed: 1, cancelled: 0, averageDuration: 42 }],
      slowestExecutions: [{ executionId: id, duration: 842, startedAt }],
      mostCommonErrors: [{ error: entry.message, count: 1, percentage: 100 }],
    },
  },
  "POST /expressions/evaluate": {
    body: { expression: "{{ $trigger.body.items.length }}", context: { trigger: { body } } },
    answer: { ok: true, value: 2, type: "number" },
  },
  "GET /executions/overview": {
    answer: {
      from: "2026-01-31T09:30:00.000Z",
      to: "2026-02-01T09:30:00.000Z",
      bucket: "hour",
      current: {
        total: 1204,
        pending: 0,
        running: 4,
        completed: 1176,
        failed: 21,
        cancelled: 2,
        timeout: 1,
        successRate: 98,
        p50: 182,
        p95: 1449,
      },
      recovered: 1,
      previous: {
        total: 1150,
        pending: 0,
        running: 0,
        completed: 1141,
        failed: 9,
        cancelled: 0,
        timeout: 0,
        successRate: 99.22,
        p50: 178,
        p95: 1218,
      },
      series: [{ at: "2026-01-31T09:00:00.000Z", open: 0, completed: 49, failed: 1, cancelled: 0, timeout: 0 }],
      errors: [
        {
          error: "GET https://rates.example.com/eur answered 503",
          flowId: "flow_01kad6z3q8e5vr2xkn7m4wb9tc",
          flowName: "Order intake",
          count: 17,
        },
      ],
      slowestFlows: [
        { flowId: "flow_01kad6z3q8e5vr2xkn7m4wb9tc", flowName: "Order intake", completed: 640, p50: 305, p95: 2048 },
      ],
    },
  },
  "POST /executions/bulk-cancel": {
    body: { filter: { status: ["running"], endDate: "2026-01-31T09:00:00Z" }, dryRun: true },
    answer: { matched: 12, done: 0, remaining: 12 },
  },
  "POST /executions/bulk-delete": {
    body: { filter: { flowId: "flow_01kad6z3q8e5vr2xkn7m4wb9tc", endDate: "2025-12-31" } },
    answer: { matched: 1840, done: 1000, remaining: 840 },
  },
  "POST /executions/bulk-retry": {
    body: { filter: { status: ["failed"], startDate: "2026-01-31T02:00:00Z", search: "answered 503" } },
    answer: { matched: 17, done: 17, remaining: 0 },
  },
  "GET /executions/:id/retry-plan": {
    answer: {
      flowVersion: 4,
      originalVersion: 3,
      problem: null,
      nodes: [
        {
          nodeId: "check",
          nodeName: "Is it an order?",
          plan: "reused",
          effect: "none",
          replay: { again: false, key: null, reason: "Its output is reused: nothing is done again" },
        },
        {
          nodeId: "pay",
          nodeName: "Pay",
          plan: "runs",
          effect: "write",
          replay: {
            again: true,
            key: `${id}.pay`,
            reason: "It carries the original's key if its request is the same",
          },
        },
      ],
    },
  },
  "GET /executions/:id/timeline": {
    answer: [
      { at: startedAt, nodeId: "check", iteration: null, from: "pending", to: "running", attempt: 1, because: [] },
      { at: startedAt, nodeId: "check", iteration: null, from: "running", to: "completed", attempt: 1, because: [] },
      {
        at: startedAt,
        nodeId: "refuse",
        iteration: null,
        from: "pending",
        to: "skipped",
        attempt: 1,
        because: [{ nodeId: "check", handle: "true", expression: "$trigger.body.items.length > 0", value: true }],
      },
    ],
  },
  "GET /executions/:id/nodes/:nodeId": {
    answer: {
      nodeId: "check",
      nodeName: "Is it an order?",
      type: "if-else",
      status: "completed",
      startedAt: "2026-01-31T10:30:00.000Z",
      completedAt: "2026-01-31T10:30:00.002Z",
      duration: 2,
      handle: "true",
      input: { condition: true },
      output: { result: true, branch: "true" },
    },
  },
  "GET /executions/:id/nodes/:nodeId/iterations": { answer: iteration },
  "GET /executions/:id/nodes/:nodeId/iterations/:iteration": { answer: { ...iteration, nodes: [failedNode] } },
  "GET /executions/recent": {
    answer: [
      {
        flowId: "flow_01kad6z3q8e5vr2xkn7m4wb9tc",
        runs: [
          {
            id: "exec_01kad7c9p2f6atqxv3m0wz8y5n",
            status: "completed",
            startedAt: "2026-01-31T10:30:00.000Z",
            duration: 842,
          },
        ],
      },
    ],
  },
};
